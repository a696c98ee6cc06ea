// The fields of an AnyValue and of what it may hold, as protobuf tags: field number and wire type.

export const stringTag = 0x0a
export const boolTag = 0x10
export const intTag = 0x18
export const doubleTag = 0x21
export const arrayTag = 0x2a
export const mapTag = 0x32
export const bytesTag = 0x3a

/** Of an array's values and of a map's entries. */
export const itemTag = 0x0a
/** Of a KeyValue. */
export const keyTag = 0x0a
export const valueTag = 0x12
