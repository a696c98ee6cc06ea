// The types of the interface, from its OpenAPI document. A test compares them with the committed file.
import openapiTS, { astToString } from 'openapi-typescript'

const header = `// Generated from the OpenAPI document of the service. Do not edit: npm run types --workspace dashboard\n`

/** The text of src/api/schema.ts for an OpenAPI document in JSON. */
export async function renderApiTypes(document: string): Promise<string> {
  return header + astToString(await openapiTS(document))
}
