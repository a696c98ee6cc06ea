// Reads the resource and scope that spans share from protobuf bytes. Repeated occurrences are merged.

import type { Resource, Scope } from '../../event/span.ts'
import { type AttributeBag, openBag } from '../intake/attribute-bag.ts'
import type { DecodeContext } from '../intake/clean.ts'
import { readString } from './text-protobuf.ts'
import { readAttribute } from './value-protobuf.ts'
import { type Cursor, readTag, skipField } from './wire.ts'
import { eachMessage, within } from './wire-message.ts'

/** Reads the resource and schema URL of the ResourceSpans that is the cursor's message. They may be before or after its scopes. */
export function readResource(cursor: Cursor, context: DecodeContext): Resource {
  const bag = openBag('resource')
  let schemaUrl = ''
  while (cursor.pos < cursor.end) {
    const tag = readTag(cursor)
    if (tag === 0x0a) within(cursor, (resource) => readAttributes(resource, bag, context))
    else if (tag === 0x1a) schemaUrl = readString(cursor, context.limits.nameBytes, context)
    else skipField(cursor, tag)
  }
  return { attributes: bag.map, schemaUrl }
}

/** Reads the scope of the ScopeSpans that is the cursor's message. */
export function readScope(cursor: Cursor, context: DecodeContext): Scope {
  const { nameBytes } = context.limits
  const bag = openBag('scope')
  let name = ''
  let version = ''
  eachMessage(cursor, 0x0a, (scope) => {
    while (scope.pos < scope.end) {
      const tag = readTag(scope)
      if (tag === 0x0a) name = readString(scope, nameBytes, context)
      else if (tag === 0x12) version = readString(scope, nameBytes, context)
      else if (tag === 0x1a) readAttribute(scope, bag, context)
      else skipField(scope, tag)
    }
  })
  return { name, version, attributes: bag.map }
}

function readAttributes(resource: Cursor, bag: AttributeBag, context: DecodeContext): void {
  while (resource.pos < resource.end) {
    const tag = readTag(resource)
    if (tag === 0x0a) readAttribute(resource, bag, context)
    else skipField(resource, tag)
  }
}
