{{/* The configuration of a server; who may do what stands in two files of a Secret, by whose keys it includes them. */}}
{{- define "tracewright.natsConfig" -}}
server_name: $POD_NAME
listen: "{{ include "tracewright.natsHost" . }}:4222"
http: "{{ include "tracewright.natsHost" . }}:8222"
pid_file: "/tmp/nats.pid"
# A disconnected client is detected within seconds.
ping_interval: "5s"
ping_max: 2
max_payload: 1MB
lame_duck_grace_period: "5s"
lame_duck_duration: "30s"
{{- if .Values.nats.tlsSecret }}
tls {
  cert_file: "/etc/nats-tls/tls.crt"
  key_file: "/etc/nats-tls/tls.key"
}
{{- end }}
include "./auth.conf"
cluster {
  name: tracewright
  listen: "{{ include "tracewright.natsHost" . }}:6222"
  {{- if .Values.nats.tlsSecret }}
  tls {
    cert_file: "/etc/nats-tls/tls.crt"
    key_file: "/etc/nats-tls/tls.key"
    ca_file: "/etc/nats-tls/ca.crt"
  }
  {{- end }}
  include "./routes.conf"
}
{{ end -}}

{{- define "tracewright.natsHost" -}}
{{- ternary "[::]" "0.0.0.0" (eq .Values.host "::") -}}
{{- end -}}

{{/* Of a Secret of somebody else, as it is in the cluster; nothing where the chart is rendered outside. Takes (list root name). */}}
{{- define "tracewright.secretData" -}}
{{- if index . 1 -}}
{{- dig "data" dict (lookup "v1" "Secret" (index . 0).Release.Namespace (index . 1)) | toJson -}}
{{- end -}}
{{- end -}}

{{/* Changes with all that servers read at their start, but for the words that the chart makes once. */}}
{{- define "tracewright.natsServerDigest" -}}
{{- $auth := include "tracewright.natsAuth" (list . "" "") -}}
{{- $routes := include "tracewright.natsRoutes" (list . "") -}}
{{- $words := include "tracewright.secretData" (list . .Values.nats.existingSecret) -}}
{{- $certificates := include "tracewright.secretData" (list . .Values.nats.tlsSecret) -}}
{{- list (include "tracewright.natsConfig" .) $auth $routes $words $certificates | toJson | sha256sum | trunc 16 -}}
{{- end -}}

{{/* The same for fronts and actors: addresses, certificates and credentials. */}}
{{- define "tracewright.natsClientDigest" -}}
{{- $nats := .Values.nats -}}
{{- $addresses := ternary (include "tracewright.natsUrl" (list . "" "")) "" $nats.enabled -}}
{{- $names := list $nats.existingSecret $nats.tlsSecret $nats.credsSecret $nats.clientCertSecret -}}
{{- $data := list -}}
{{- range $names -}}
{{- $data = append $data (include "tracewright.secretData" (list $ .)) -}}
{{- end -}}
{{- list $addresses $names $data | toJson | sha256sum | trunc 16 -}}
{{- end -}}

{{/* Host names of all servers, as a list in JSON. */}}
{{- define "tracewright.natsHosts" -}}
{{- $name := printf "%s-nats" (include "tracewright.fullname" .) -}}
{{- $hosts := list -}}
{{- range $at := until (int .Values.nats.replicas) -}}
{{- $hosts = append $hosts (printf "%s-%d.%s.%s.svc" $name $at $name $.Release.Namespace) -}}
{{- end -}}
{{- toJson $hosts -}}
{{- end -}}

{{/* Takes (list root user password). */}}
{{- define "tracewright.natsUrl" -}}
{{- $root := index . 0 -}}
{{- $scheme := ternary "tls" "nats" (not (empty $root.Values.nats.tlsSecret)) -}}
{{- $urls := list -}}
{{- range include "tracewright.natsHosts" $root | fromJsonArray -}}
{{- $urls = append $urls (printf "%s://%s:%s@%s:4222" $scheme (index $ 1) (index $ 2) .) -}}
{{- end -}}
{{- join "," $urls -}}
{{- end -}}

{{/* Fronts ask owners and hear who they are; only actors own and answer. Takes (list root frontPassword actorPassword). */}}
{{- define "tracewright.natsAuth" -}}
{{- $config := default dict (index . 0).Values.config -}}
{{- $prefix := ternary "" (printf "%s." (default "" $config.NATS_PREFIX)) (empty $config.NATS_PREFIX) -}}
authorization {
  users: [
    {
      user: front
      password: {{ index . 1 | quote }}
      permissions {
        publish: ["{{ $prefix }}tw.p.>", "{{ $prefix }}tw.inv.*", "{{ $prefix }}tw.commit.*"]
        subscribe: ["_INBOX.{{ $prefix }}>", "{{ $prefix }}tw.hb.*", "{{ $prefix }}tw.route", "{{ $prefix }}tw.inv.*", "{{ $prefix }}tw.commit.*"]
      }
    }
    {
      user: actor
      password: {{ index . 2 | quote }}
      permissions {
        publish: ["{{ $prefix }}tw.>", "_INBOX.{{ $prefix }}>"]
        subscribe: ["{{ $prefix }}tw.>", "_INBOX.{{ $prefix }}>"]
      }
    }
  ]
}
{{ end -}}

{{/* Takes (list root password). */}}
{{- define "tracewright.natsRoutes" -}}
authorization {
  user: route
  password: {{ index . 1 | quote }}
}
routes: [
  {{- range include "tracewright.natsHosts" (index . 0) | fromJsonArray }}
  "nats://route:{{ index $ 1 }}@{{ . }}:6222"
  {{- end }}
]
{{ end -}}
