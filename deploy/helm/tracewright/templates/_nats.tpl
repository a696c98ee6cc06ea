{{/* The configuration of a server; who may do what stands in two files of a Secret, by whose keys it includes them. */}}
{{- define "tracewright.natsConfig" -}}
server_name: $POD_NAME
listen: "0.0.0.0:4222"
http: "0.0.0.0:8222"
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
  listen: "0.0.0.0:6222"
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
{{- $scheme := ternary "tls" "nats" (ne $root.Values.nats.tlsSecret "") -}}
{{- $urls := list -}}
{{- range include "tracewright.natsHosts" $root | fromJsonArray -}}
{{- $urls = append $urls (printf "%s://%s:%s@%s:4222" $scheme (index $ 1) (index $ 2) .) -}}
{{- end -}}
{{- join "," $urls -}}
{{- end -}}

{{/* Fronts ask owners and hear who they are; only actors own and answer. Takes (list root frontPassword actorPassword). */}}
{{- define "tracewright.natsAuth" -}}
{{- $prefix := ternary "" (printf "%s." (default "" (index . 0).Values.config.NATS_PREFIX)) (empty (index . 0).Values.config.NATS_PREFIX) -}}
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
