// The version of the interface, as its OpenAPI document and GET /v1/meta report it.

export const interfaceVersion = '0.2.0'
