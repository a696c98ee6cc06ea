{{/* Names, labels and images. Parts of a release are told apart by app.kubernetes.io/component. */}}
{{/* Of a Service too, whose name begins with a letter and has no dot; the release's may be otherwise. */}}
{{- define "tracewright.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- $plain := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) | replace "." "-" -}}
{{- $letters := ternary $plain (printf "tw-%s" $plain) (regexMatch "^[a-z]" $plain) -}}
{{- default $letters .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{/* What never changes in the life of a release. Takes (list root component). */}}
{{- define "tracewright.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ default $root.Chart.Name $root.Values.nameOverride | trunc 63 | trimSuffix "-" | quote }}
app.kubernetes.io/instance: {{ $root.Release.Name | quote }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{/* A version as the value of a label, which has no plus sign. Flux adds the digest of a chart to its version as +… */}}
{{- define "tracewright.labelValue" -}}
{{- . | replace "+" "_" | trunc 63 | trimAll "-_." -}}
{{- end -}}

{{/* Takes (list root component). */}}
{{- define "tracewright.labels" -}}
{{- $root := index . 0 -}}
{{ include "tracewright.selector" . }}
app.kubernetes.io/part-of: tracewright
app.kubernetes.io/version: {{ include "tracewright.labelValue" $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ include "tracewright.labelValue" (printf "%s-%s" $root.Chart.Name $root.Chart.Version) }}
{{- end -}}

{{/* Takes (list image defaultTag). */}}
{{- define "tracewright.image" -}}
{{- $image := index . 0 -}}
{{- if $image.digest -}}
{{ $image.repository }}@{{ $image.digest }}
{{- else -}}
{{ $image.repository }}:{{ default (index . 1) $image.tag }}
{{- end -}}
{{- end -}}

{{- define "tracewright.priorityClass" -}}
{{- $own := printf "%s-%s" .Release.Namespace (include "tracewright.fullname" .) -}}
{{- ternary (default $own .Values.priorityClass.name) (default "" .Values.priorityClass.name) .Values.priorityClass.create -}}
{{- end -}}

{{- define "tracewright.sealSecret" -}}
{{- if eq .Values.secret.key (default "" .Values.secret.otherKey) -}}
{{- fail "secret.otherKey: must differ from secret.key" -}}
{{- end -}}
{{- default (printf "%s-seal" (include "tracewright.fullname" .)) .Values.secret.existingSecret -}}
{{- end -}}

{{- define "tracewright.databaseSecret" -}}
{{- if not (or .Values.database.existingSecret .Values.timescaledb.enabled) -}}
{{- fail "database.existingSecret: set the name of a Secret with the URL of your PostgreSQL, or set timescaledb.enabled" -}}
{{- end -}}
{{- default (printf "%s-timescaledb" (include "tracewright.fullname" .)) .Values.database.existingSecret -}}
{{- end -}}

{{/* Whether the chart makes the database and its passwords. */}}
{{- define "tracewright.ownDatabase" -}}
{{- if and .Values.timescaledb.enabled (not .Values.database.existingSecret) -}}yes{{- end -}}
{{- end -}}

{{/* Refuses more processes than our own database has connections for. The numbers of connections are those of src/settings.ts. */}}
{{- define "tracewright.checkConnections" -}}
{{- $config := default dict .Values.config -}}
{{- $pools := add (default 4 $config.DATABASE_INGEST_CONNECTIONS) (default 8 $config.DATABASE_READ_CONNECTIONS) (default 6 $config.DATABASE_CONTROL_CONNECTIONS) -}}
{{- $each := add $pools 5 -}}
{{- $fronts := ternary .Values.front.autoscaling.max .Values.front.replicas .Values.front.autoscaling.enabled | int -}}
{{- $actors := int .Values.actor.replicas -}}
{{- $needed := add (mul (add $fronts 1 $actors) $each) 20 -}}
{{- if lt (int64 .Values.timescaledb.maxConnections) $needed -}}
{{- fail (printf "timescaledb.maxConnections: must be at least %d: %d fronts, one more during a rollout, and %d actors with %d connections each, and 20 for administrators" $needed $fronts $actors $each) -}}
{{- end -}}
{{- end -}}

{{/* The Secret with the URL of a role. Takes (list root role). */}}
{{- define "tracewright.databaseUrlSecret" -}}
{{- $root := index . 0 -}}
{{- if and (include "tracewright.ownDatabase" $root) (ne (index . 1) "migrate") -}}
{{ include "tracewright.fullname" $root }}-database-users
{{- else -}}
{{ include "tracewright.databaseSecret" $root }}
{{- end -}}
{{- end -}}

{{/* The key of the URL of a role. Takes (list root role). */}}
{{- define "tracewright.databaseUrlKey" -}}
{{- $root := index . 0 -}}
{{- $own := and (include "tracewright.ownDatabase" $root) (ne (index . 1) "migrate") -}}
{{- default (ternary (printf "%s-url" (index . 1)) "url" (not (not $own))) (index $root.Values.database.keys (index . 1)) -}}
{{- end -}}

{{/* Whether the migration creates the users of fronts and actors. */}}
{{- define "tracewright.createsUsers" -}}
{{- if include "tracewright.ownDatabase" . -}}yes
{{- else if .Values.database.createUsers -}}
{{- $keys := list -}}
{{- range list "front" "actor" "migrate" -}}
{{- $keys = append $keys (include "tracewright.databaseUrlKey" (list $ .)) -}}
{{- end -}}
{{- if lt (len (uniq $keys)) 3 -}}
{{- fail "database.createUsers: needs a key of its own for each of database.keys.front, database.keys.actor and database.keys.migrate" -}}
{{- end -}}
yes
{{- end -}}
{{- end -}}

{{- define "tracewright.natsSecret" -}}
{{- if not (or .Values.nats.existingSecret .Values.nats.enabled) -}}
{{- fail "nats.existingSecret: set the name of a Secret with the URLs of your NATS, or set nats.enabled" -}}
{{- end -}}
{{- range list "credsSecret" "clientCertSecret" -}}
{{- if and $.Values.nats.enabled (index $.Values.nats .) -}}
{{- fail (printf "nats.%s: is for an external NATS, so set nats.enabled to false" .) -}}
{{- end -}}
{{- end -}}
{{- default (printf "%s-nats" (include "tracewright.fullname" .)) .Values.nats.existingSecret -}}
{{- end -}}

{{/* A secret word that was made once: the one that is there, else a new one. Takes (list root secretName key length). */}}
{{- define "tracewright.madeOnce" -}}
{{- $root := index . 0 -}}
{{- $found := lookup "v1" "Secret" $root.Release.Namespace (index . 1) -}}
{{- $old := dig "data" (index . 2) "" $found -}}
{{- if $old -}}{{ $old | b64dec }}{{- else -}}{{ randAlphaNum (index . 3 | int) }}{{- end -}}
{{- end -}}
