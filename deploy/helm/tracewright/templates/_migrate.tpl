{{/*
When the migration runs, as annotations of what it needs. Before everything, and before a way back, which it refuses where the old version
does not run on the schema. A database of our own is not there before an install: its first migration is no hook but a part of the
release, so that `helm install --wait`, which waits for processes before any hook after it, does not wait for ever. Takes (list root weight).
*/}}
{{- define "tracewright.migrateHook" -}}
{{- $root := index . 0 -}}
{{- if or $root.Release.IsUpgrade (not $root.Values.timescaledb.enabled) -}}
annotations:
  helm.sh/hook: {{ ternary "pre-upgrade,pre-rollback" "pre-install,pre-upgrade,pre-rollback" $root.Values.timescaledb.enabled }}
  helm.sh/hook-weight: {{ index . 1 | quote }}
  helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end -}}
{{- end -}}
