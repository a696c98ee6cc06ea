// Writes src/api/schema.ts from the OpenAPI document of a running service: `npm run types --workspace dashboard -- http://localhost:8080`.
import { writeFileSync } from 'node:fs'
import { renderApiTypes } from './render-api-types.ts'

const [baseUrl = 'http://localhost:8080'] = process.argv.slice(2)
const response = await fetch(new URL('/openapi.json', baseUrl))
if (!response.ok) throw new Error(`${response.url} answered ${response.status}`)
writeFileSync(new URL('../src/api/schema.ts', import.meta.url), await renderApiTypes(await response.text()))
