{{/* The pod that binds the volume of the backups. Without the labels of the version, so that a new version does not change it. */}}
{{- define "tracewright.backupVolumeTemplate" -}}
metadata:
  labels:
    {{- include "tracewright.selector" (list . "backup-volume") | nindent 4 }}
    {{- with .Values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "tracewright.fullname" . }}
  {{- include "tracewright.podCommon" (list . "backup-volume" 70) | nindent 2 }}
  restartPolicy: Never
  containers:
    - name: backup-volume
      image: {{ include "tracewright.image" (list .Values.timescaledb.image "") }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      command: ['true']
      {{- include "tracewright.containerSecurity" . | nindent 6 }}
      {{- include "tracewright.resources" (dict "cpu" "10m" "memory" "32Mi") | nindent 6 }}
      volumeMounts:
        - name: tmp
          mountPath: /tmp
        - name: backup
          mountPath: /backup
  volumes:
    - name: tmp
      emptyDir:
        sizeLimit: 64Mi
    - name: backup
      persistentVolumeClaim:
        claimName: {{ include "tracewright.fullname" . }}-backup
{{- end -}}
