{{/* What every pod of the release has in common. Takes (list root component userId). */}}
{{- define "tracewright.podCommon" -}}
{{- $root := index . 0 -}}
{{- $user := index . 2 -}}
automountServiceAccountToken: false
# The service variables of Kubernetes would start with the prefix of the settings, and an unknown setting prevents the start.
enableServiceLinks: false
{{- with $root.Values.podSecurityContext }}
securityContext: {{- merge (deepCopy .) (dict "runAsUser" $user "runAsGroup" $user "fsGroup" $user) | toYaml | nindent 2 }}
{{- end }}
{{- /* Before an install our own class is not there yet. */}}
{{- if not (and $root.Values.priorityClass.create (eq (index . 1) "migrate")) }}
{{- with include "tracewright.priorityClass" $root }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- end }}
{{- with $root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
{{- with $root.Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Over zones and over nodes, where there are enough of them. Takes (list root component) or (list root component "by revision"). */}}
{{- define "tracewright.spread" -}}
topologySpreadConstraints:
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "tracewright.selector" $ | nindent 8 }}
    {{- if gt (len $) 2 }}
    # Without this, the pods of the previous revision would be counted too.
    matchLabelKeys:
      - pod-template-hash
    {{- end }}
  {{- end }}
{{- end -}}

{{- define "tracewright.containerSecurity" -}}
{{- with .Values.containerSecurityContext -}}
securityContext: {{- toYaml . | nindent 2 }}
{{- end -}}
{{- end -}}

{{/* Labels of a pod, which may have more than its owner. Takes (list root component). */}}
{{- define "tracewright.podLabels" -}}
{{ include "tracewright.labels" . }}
{{- with (index . 0).Values.podLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/*
The same for pods that a new version of the chart must not restart: nothing in them changes with it. Takes (list root component).
*/}}
{{- define "tracewright.steadyPodLabels" -}}
{{ include "tracewright.selector" . }}
app.kubernetes.io/part-of: tracewright
{{- with (index . 0).Values.podLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* CPU is requested and never limited: a throttled process looks like one that hangs. Takes a part's values. */}}
{{- define "tracewright.resources" -}}
resources:
  requests:
    cpu: {{ .cpu | quote }}
    memory: {{ .memory }}
    ephemeral-storage: 64Mi
  limits:
    memory: {{ .memory }}
    ephemeral-storage: 512Mi
{{- end -}}

{{/* Three quarters of a memory limit of Mi or Gi, in MiB. */}}
{{- define "tracewright.heapMegabytes" -}}
{{- div (mul (include "tracewright.megabytes" .) 3) 4 -}}
{{- end -}}

{{/* A memory limit of Mi or Gi, in MiB. */}}
{{- define "tracewright.megabytes" -}}
{{- $amount := regexFind "^[0-9]+" . | int -}}
{{- ternary (mul $amount 1024) $amount (hasSuffix "Gi" .) -}}
{{- end -}}
