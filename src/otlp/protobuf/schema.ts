// The message types of proto/, compiled in memory once per thread. Only these files are parsed as schemas, never input.
import { readFileSync } from 'node:fs'
import protobuf from 'protobufjs'

const load = (file: string) =>
  protobuf.parse(readFileSync(new URL(`../../../proto/${file}`, import.meta.url), 'utf8'), { keepCase: false }).root

const otlp = load('otlp-trace.proto')
const rpc = load('rpc-status.proto')

export const exportRequestType = otlp.lookupType('tracewright.otlp.ExportTraceServiceRequest')
export const exportResponseType = otlp.lookupType('tracewright.otlp.ExportTraceServiceResponse')
export const rpcStatusType = rpc.lookupType('tracewright.rpc.Status')
