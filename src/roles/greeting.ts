// The text after `npm start` for new users: the URL of the dashboard, and commands that do the same.

const usualUrl = 'http://localhost:8080'

type Addresses = { readonly baseUrl: string; readonly metricsPort: number; readonly hasPage: boolean }

/** Returns plain text for a terminal. */
export function greet({ baseUrl, metricsPort, hasPage }: Addresses): string {
  // Another shell may not have the port in its environment.
  const demo = baseUrl === usualUrl ? 'npm run demo' : `npm run demo -- --url ${baseUrl}`
  return `
Tracewright listens on ${baseUrl}   (metrics: port ${metricsPort}; interface: ${baseUrl}/openapi.json)

${hasPage ? `Open ${baseUrl} in a browser to sign up, create an API key and see your first trace. Or use these commands:` : 'Next:'}
  1. Sign up; the response contains an access token and your organization:
     curl -s ${baseUrl}/v1/auth/signup -H 'content-type: application/json' \\
       -d '{"email":"you@example.com","password":"correct horse battery staple"}' | tee signup.json

  2. Create an API key for your first workspace:
     TOKEN=$(node -p 'require("./signup.json").access_token')
     WORKSPACE=$(curl -s ${baseUrl}/v1/workspaces -H "authorization: Bearer $TOKEN" | node -p 'JSON.parse(require("fs").readFileSync(0))[0].id')
     curl -s ${baseUrl}/v1/keys -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\
       -d "{\\"workspace_id\\":\\"$WORKSPACE\\",\\"name\\":\\"my agents\\"}"

  3. Configure any OpenTelemetry exporter:
     export OTEL_EXPORTER_OTLP_ENDPOINT=${baseUrl}/v1/otlp
     export OTEL_EXPORTER_OTLP_HEADERS="authorization=Bearer%20<api_key of step 2>"

To look at example data first, run: ${demo}
`
}
