{{- define "latchkey.selector" -}}
app.kubernetes.io/name: latchkey
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "latchkey.labels" -}}
{{ include "latchkey.selector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "latchkey.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "latchkey.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}
