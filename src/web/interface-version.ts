// The version of the interface, which its document and its metadata tell.

export const interfaceVersion = '0.2.0'
