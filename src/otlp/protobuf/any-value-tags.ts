// The protobuf tags (field number and wire type) of an AnyValue and of the messages inside it.

export const stringTag = 0x0a
export const boolTag = 0x10
export const intTag = 0x18
export const doubleTag = 0x21
export const arrayTag = 0x2a
export const mapTag = 0x32
export const bytesTag = 0x3a

/** A value of an array, or an entry of a map. */
export const itemTag = 0x0a
/** The fields of a KeyValue. */
export const keyTag = 0x0a
export const valueTag = 0x12
