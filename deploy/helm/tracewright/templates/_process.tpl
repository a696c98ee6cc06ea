{{/* One process of ours, by its role: settings, and secrets as files. */}}

{{- define "tracewright.publicUrl" -}}
{{- if .Values.publicUrl -}}
{{- .Values.publicUrl -}}
{{- else if .Values.ingress.enabled -}}
{{- ternary "https" "http" (not (empty .Values.ingress.tlsSecret)) }}://{{ .Values.ingress.host -}}
{{- else if and .Values.httpRoute.enabled .Values.httpRoute.hostnames -}}
https://{{ first .Values.httpRoute.hostnames -}}
{{- else -}}
http://localhost:8080
{{- end -}}
{{- end -}}

{{/* Takes (list root role). The migration needs the database alone, and creates the users of the others. */}}
{{- define "tracewright.env" -}}
{{- $root := index . 0 -}}
{{- $role := index . 1 -}}
{{- $part := index $root.Values $role -}}
env:
  - name: TRACEWRIGHT_ROLES
    value: {{ $role }}
  - name: NODE_OPTIONS
    value: --max-old-space-size={{ include "tracewright.heapMegabytes" $part.memory }}
  - name: TRACEWRIGHT_DATABASE_URL_FILE
    value: /etc/tracewright/secrets/database-url
  {{- if and (eq $role "migrate") (include "tracewright.createsUsers" $root) }}
  - name: TRACEWRIGHT_FRONT_DATABASE_URL_FILE
    value: /etc/tracewright/secrets/front-database-url
  - name: TRACEWRIGHT_ACTOR_DATABASE_URL_FILE
    value: /etc/tracewright/secrets/actor-database-url
  {{- end }}
  {{- if ne $role "migrate" }}
  - name: TRACEWRIGHT_HOST
    value: {{ $root.Values.host | quote }}
  - name: TRACEWRIGHT_PORT
    value: '8080'
  - name: TRACEWRIGHT_METRICS_PORT
    value: '9464'
  - name: TRACEWRIGHT_MEMBER_NAME
    valueFrom:
      fieldRef:
        fieldPath: metadata.name
  - name: TRACEWRIGHT_NATS_URL_FILE
    value: /etc/tracewright/secrets/nats-url
  {{- if $root.Values.nats.tlsSecret }}
  - name: TRACEWRIGHT_NATS_CA_FILE
    value: /etc/tracewright/nats-ca/ca.crt
  {{- end }}
  {{- if $root.Values.nats.credsSecret }}
  - name: TRACEWRIGHT_NATS_CREDS_FILE
    value: /etc/tracewright/nats-creds/user.creds
  {{- end }}
  {{- if $root.Values.nats.clientCertSecret }}
  - name: TRACEWRIGHT_NATS_CERT_FILE
    value: /etc/tracewright/nats-cert/tls.crt
  - name: TRACEWRIGHT_NATS_KEY_FILE
    value: /etc/tracewright/nats-cert/tls.key
  {{- end }}
  {{- end }}
  {{- if eq $role "front" }}
  - name: TRACEWRIGHT_SECRET_FILE
    value: /etc/tracewright/secrets/seal
  {{- if $root.Values.secret.otherKey }}
  - name: TRACEWRIGHT_SECRET_OTHER_FILE
    value: /etc/tracewright/secrets/seal-other
  {{- end }}
  {{- if $root.Values.mail.existingSecret }}
  - name: TRACEWRIGHT_SMTP_URL_FILE
    value: /etc/tracewright/secrets/smtp-url
  - name: TRACEWRIGHT_SMTP_FROM
    value: {{ required "mail.from: set the sender of mail" $root.Values.mail.from | quote }}
  {{- end }}
  - name: TRACEWRIGHT_PUBLIC_URL
    value: {{ include "tracewright.publicUrl" $root }}
  # Within the grace period of 40 s: a front serves for 5 more seconds, finishes within 20 s, and exits by force 10 s later.
  - name: TRACEWRIGHT_DRAIN_DELAY_MS
    value: '5000'
  - name: TRACEWRIGHT_DRAIN_MS
    value: '20000'
  {{- else if eq $role "actor" }}
  # Within the grace period of 20 s: an actor has no requests in flight except probes, and hands over its partitions within 5 s.
  - name: TRACEWRIGHT_DRAIN_DELAY_MS
    value: '0'
  - name: TRACEWRIGHT_DRAIN_MS
    value: '5000'
  {{- end }}
  {{- $config := default dict $root.Values.config }}
  {{- range $name, $value := ternary (pick $config "LOG_LEVEL" "CHUNK_INTERVAL_H" "INGEST_MAX_AGE_S") $config (eq $role "migrate") }}
  - name: TRACEWRIGHT_{{ $name }}
    value: {{ ternary (printf "%d" (int64 $value)) (toString $value) (kindIs "float64" $value) | quote }}
  {{- end }}
  {{- with $root.Values.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* Takes (list root role). */}}
{{- define "tracewright.mounts" -}}
{{- $root := index . 0 -}}
volumeMounts:
  - name: tmp
    mountPath: /tmp
  - name: secrets
    mountPath: /etc/tracewright/secrets
    readOnly: true
  {{- if $root.Values.database.caSecret }}
  - name: database-ca
    mountPath: /etc/tracewright/database-ca
    readOnly: true
  {{- end }}
  {{- if and $root.Values.nats.tlsSecret (ne (index . 1) "migrate") }}
  - name: nats-ca
    mountPath: /etc/tracewright/nats-ca
    readOnly: true
  {{- end }}
  {{- range include "tracewright.ownSecrets" . | fromJsonArray }}
  - name: {{ .volume }}
    mountPath: /etc/tracewright/{{ .volume }}
    readOnly: true
  {{- end }}
  {{- with $root.Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* Certificates and credentials by which a role identifies itself: name of the volume, the Secret, and path to key. Takes (list root role). */}}
{{- define "tracewright.ownSecrets" -}}
{{- $root := index . 0 -}}
{{- $role := index . 1 -}}
{{- $nats := $root.Values.nats -}}
{{- $pair := dict "tls.crt" "tls.crt" "tls.key" "tls.key" -}}
{{- $all := list (dict "volume" "database-cert" "secret" (index $root.Values.database.clientCertSecrets $role) "items" $pair) -}}
{{- if ne $role "migrate" -}}
{{- $all = append $all (dict "volume" "nats-creds" "secret" $nats.credsSecret "items" (dict "user.creds" (printf "%s.creds" $role))) -}}
{{- $all = append $all (dict "volume" "nats-cert" "secret" $nats.clientCertSecret "items" $pair) -}}
{{- end -}}
{{- $used := list -}}
{{- range $all -}}
{{- if .secret -}}{{- $used = append $used . -}}{{- end -}}
{{- end -}}
{{- toJson $used -}}
{{- end -}}

{{/* Each role gets what is its own. Takes (list root role). */}}
{{- define "tracewright.volumes" -}}
{{- $root := index . 0 -}}
{{- $role := index . 1 -}}
volumes:
  - name: tmp
    emptyDir:
      sizeLimit: 256Mi
  - name: secrets
    projected:
      defaultMode: 0440
      sources:
        - secret:
            name: {{ include "tracewright.databaseUrlSecret" . | quote }}
            items:
              - key: {{ include "tracewright.databaseUrlKey" . | quote }}
                path: database-url
        {{- if and (eq $role "migrate") (include "tracewright.createsUsers" $root) }}
        {{- range list "front" "actor" }}
        - secret:
            name: {{ include "tracewright.databaseUrlSecret" (list $root .) | quote }}
            items:
              - key: {{ include "tracewright.databaseUrlKey" (list $root .) | quote }}
                path: {{ . }}-database-url
        {{- end }}
        {{- end }}
        {{- if ne $role "migrate" }}
        - secret:
            name: {{ include "tracewright.natsSecret" $root | quote }}
            items:
              - key: {{ index $root.Values.nats.keys $role | quote }}
                path: nats-url
        {{- end }}
        {{- if eq $role "front" }}
        - secret:
            name: {{ include "tracewright.sealSecret" $root | quote }}
            items:
              - key: {{ $root.Values.secret.key | quote }}
                path: seal
              {{- with $root.Values.secret.otherKey }}
              - key: {{ . | quote }}
                path: seal-other
              {{- end }}
        {{- with $root.Values.mail.existingSecret }}
        - secret:
            name: {{ . | quote }}
            items:
              - key: {{ $root.Values.mail.key | quote }}
                path: smtp-url
        {{- end }}
        {{- end }}
  {{- with $root.Values.database.caSecret }}
  - name: database-ca
    secret:
      secretName: {{ . | quote }}
      defaultMode: 0440
      items:
        - key: ca.crt
          path: ca.crt
  {{- end }}
  {{- if and $root.Values.nats.tlsSecret (ne $role "migrate") }}
  - name: nats-ca
    secret:
      secretName: {{ $root.Values.nats.tlsSecret | quote }}
      defaultMode: 0440
      items:
        - key: ca.crt
          path: ca.crt
  {{- end }}
  {{- range include "tracewright.ownSecrets" . | fromJsonArray }}
  - name: {{ .volume }}
    secret:
      secretName: {{ .secret | quote }}
      defaultMode: 0440
      items:
        {{- range $path, $key := .items }}
        - key: {{ $key | quote }}
          path: {{ $path }}
        {{- end }}
  {{- end }}
  {{- with $root.Values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* Liveness asks the event loop alone: an outage that all share must restart nobody. */}}
{{- define "tracewright.probes" -}}
startupProbe:
  httpGet:
    path: /v1/health/live
    port: http
  periodSeconds: 2
  timeoutSeconds: 3
  # Five minutes for a slow node. A process that waits for migrations is live but not ready.
  failureThreshold: 150
readinessProbe:
  httpGet:
    path: /v1/health/ready
    port: http
  periodSeconds: 5
  timeoutSeconds: 3
  failureThreshold: 2
livenessProbe:
  httpGet:
    path: /v1/health/live
    port: http
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
{{- end -}}

{{/* The container of a process that serves. Takes (list root role). */}}
{{- define "tracewright.container" -}}
{{- $root := index . 0 -}}
{{- $role := index . 1 -}}
- name: {{ $role }}
  image: {{ include "tracewright.image" (list $root.Values.image $root.Chart.AppVersion) }}
  imagePullPolicy: {{ $root.Values.image.pullPolicy }}
  {{- include "tracewright.containerSecurity" $root | nindent 2 }}
  ports:
    - name: http
      containerPort: 8080
    - name: metrics
      containerPort: 9464
  {{- include "tracewright.env" . | nindent 2 }}
  {{- include "tracewright.probes" $root | nindent 2 }}
  {{- include "tracewright.resources" (index $root.Values $role) | nindent 2 }}
  {{- include "tracewright.mounts" . | nindent 2 }}
{{- end -}}
