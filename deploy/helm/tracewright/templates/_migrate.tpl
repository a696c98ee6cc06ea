{{/*
When the migration runs, as annotations of what it needs. Before everything, and before a way back, which it refuses where the old version
does not run on the schema. Where our own database is not up, the migration is no hook but a part of the release, so that neither the hook
waits for a database that comes after it, nor `helm install --wait`, which waits for processes before any hook after it.
Takes (list root weight deletePolicy).
*/}}
{{- define "tracewright.migrateHook" -}}
{{- $root := index . 0 -}}
{{- if not (include "tracewright.databaseIsDown" $root) -}}
annotations:
  helm.sh/hook: {{ ternary "pre-upgrade,pre-rollback" "pre-install,pre-upgrade,pre-rollback" $root.Values.timescaledb.enabled }}
  helm.sh/hook-weight: {{ index . 1 | quote }}
  helm.sh/hook-delete-policy: {{ index . 2 }}
{{- end -}}
{{- end -}}

{{/*
Whether our own database is not up: before an install, and before an upgrade that adds or repairs it. A rendering outside the cluster finds
nothing, not even the account that each namespace has; it assumes that the database is up before an upgrade.
*/}}
{{- define "tracewright.databaseIsDown" -}}
{{- if .Values.timescaledb.enabled -}}
{{- $database := lookup "apps/v1" "StatefulSet" .Release.Namespace (printf "%s-timescaledb" (include "tracewright.fullname" .)) -}}
{{- $isInCluster := lookup "v1" "ServiceAccount" .Release.Namespace "default" -}}
{{- if or (not .Release.IsUpgrade) (and $isInCluster (lt (dig "status" "readyReplicas" 0 $database | int) 1)) -}}yes{{- end -}}
{{- end -}}
{{- end -}}

{{/*
What the Job needs stays after it: when helm gives up waiting for the Job, it would delete these hooks if they had `hook-succeeded`, and the
Job could not continue.
*/}}
{{- define "tracewright.migrateNeedHook" -}}
{{- include "tracewright.migrateHook" (list . "-5" "before-hook-creation") -}}
{{- end -}}

{{- define "tracewright.migrateJobHook" -}}
{{- include "tracewright.migrateHook" (list . "0" "before-hook-creation,hook-succeeded") -}}
{{- end -}}

{{/*
The name of what the Job needs. A hook stays when the release goes, and the next `helm install` would refuse to make it a part of the
release: so a part of the release has a name of its own.
*/}}
{{- define "tracewright.migrateNeedName" -}}
{{ include "tracewright.fullname" . }}-migrate{{ if not (include "tracewright.migrateNeedHook" .) }}-first{{ end }}
{{- end -}}

{{/* The pod of the migration. */}}
{{- define "tracewright.migrateTemplate" -}}
metadata:
  labels: {{- include "tracewright.podLabels" (list . "migrate") | nindent 4 }}
  {{- with .Values.podAnnotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "tracewright.migrateNeedName" . }}
  {{- include "tracewright.podCommon" (list . "migrate" 65532) | nindent 2 }}
  restartPolicy: Never
  containers:
    - name: migrate
      image: {{ include "tracewright.image" (list .Values.image .Chart.AppVersion) }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      {{- include "tracewright.containerSecurity" . | nindent 6 }}
      {{- include "tracewright.env" (list . "migrate") | nindent 6 }}
      {{- include "tracewright.resources" .Values.migrate | nindent 6 }}
      {{- include "tracewright.mounts" (list . "migrate") | nindent 6 }}
  {{- include "tracewright.volumes" (list . "migrate") | nindent 2 }}
{{- end -}}

{{/* At most 63 characters. Takes (list root template). */}}
{{- define "tracewright.migrateJob" -}}
{{- $root := index . 0 -}}
{{- $version := default $root.Chart.AppVersion $root.Values.image.tag | lower | replace "." "-" | replace "_" "-" | replace "+" "-" -}}
{{- $start := printf "%s-migrate-%s" (include "tracewright.fullname" $root) $version | trunc 54 | trimSuffix "-" -}}
{{- printf "%s-%s" $start (index . 1 | sha256sum | trunc 8) -}}
{{- end -}}
