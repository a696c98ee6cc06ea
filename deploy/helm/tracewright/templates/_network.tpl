{{/* Rules that several network policies share. */}}

{{/* Parts of this release. Takes (list root component …). */}}
{{- define "tracewright.peers" -}}
{{- $root := index . 0 -}}
{{- range rest . }}
- podSelector:
    matchLabels: {{- include "tracewright.selector" (list $root .) | nindent 6 }}
{{- end }}
{{- end -}}

{{- define "tracewright.fromMonitoring" -}}
- from: {{- toYaml .Values.networkPolicy.monitoringFrom | nindent 4 }}
  ports:
    - port: 9464
      protocol: TCP
{{- end -}}

{{/* A policy applies to the port of the pod, to which the Service has translated its own: 5353 on OpenShift. */}}
{{- define "tracewright.toDns" -}}
- to: {{- toYaml .Values.networkPolicy.dnsTo | nindent 4 }}
  ports:
    {{- range list 53 5353 }}
    - port: {{ . }}
      protocol: UDP
    - port: {{ . }}
      protocol: TCP
    {{- end }}
{{- end -}}

{{- define "tracewright.toDatabase" -}}
{{- if .Values.timescaledb.enabled -}}
- to: {{- include "tracewright.peers" (list . "timescaledb") | trim | nindent 4 }}
  ports:
    - port: 5432
      protocol: TCP
{{- else -}}
{{- if not .Values.database.egress.to -}}
{{- fail "database.egress.to: set the NetworkPolicy peers of your PostgreSQL (such as an ipBlock), or no pod can reach it" -}}
{{- end -}}
- to: {{- toYaml .Values.database.egress.to | nindent 4 }}
  ports:
    - port: {{ .Values.database.egress.port }}
      protocol: TCP
{{- end -}}
{{- end -}}

{{- define "tracewright.toNats" -}}
{{- if .Values.nats.enabled -}}
- to: {{- include "tracewright.peers" (list . "nats") | trim | nindent 4 }}
  ports:
    - port: 4222
      protocol: TCP
{{- else -}}
{{- if not .Values.nats.egress.to -}}
{{- fail "nats.egress.to: set the NetworkPolicy peers of your NATS (such as an ipBlock), or no pod can reach it" -}}
{{- end -}}
- to: {{- toYaml .Values.nats.egress.to | nindent 4 }}
  ports:
    - port: {{ .Values.nats.egress.port }}
      protocol: TCP
{{- end -}}
{{- end -}}

{{- define "tracewright.toMail" -}}
{{- if .Values.mail.existingSecret -}}
{{- if not .Values.mail.egress.to -}}
{{- fail "mail.egress.to: set the NetworkPolicy peers of your SMTP server (such as an ipBlock), or no front can reach it" -}}
{{- end -}}
- to: {{- toYaml .Values.mail.egress.to | nindent 4 }}
  ports:
    - port: {{ .Values.mail.egress.port }}
      protocol: TCP
{{- end -}}
{{- end -}}
