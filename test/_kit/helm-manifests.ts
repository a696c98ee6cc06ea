// What tests ask of rendered manifests: the pods among them, and one object by its kind and name.
import type { IContainer } from 'kubernetes-models/v1/Container'
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec'
import type { Manifest } from './helm.ts'

/** A pod as its owner describes it. */
export type Pod = {
  readonly owner: Manifest
  /** The value of app.kubernetes.io/component. */
  readonly part: string
  readonly labels: Record<string, string>
  readonly spec: IPodSpec
}

type Template = { readonly metadata: { readonly labels: Record<string, string> }; readonly spec: IPodSpec }
type Owner = {
  readonly spec: {
    readonly template?: Template
    readonly jobTemplate?: { readonly spec: { readonly template: Template } }
  }
}

/** Of Deployments, StatefulSets, Jobs and CronJobs. */
export function listPods(manifests: readonly Manifest[]): Pod[] {
  return manifests.flatMap((owner) => {
    const { spec } = owner as unknown as Owner
    const template = spec?.jobTemplate?.spec.template ?? spec?.template
    if (template === undefined) return []
    const { labels } = template.metadata
    return [{ owner, part: labels['app.kubernetes.io/component'] ?? '', labels, spec: template.spec }]
  })
}

/** Throws where there is none. */
export function findPod(manifests: readonly Manifest[], part: string): Pod & { readonly container: IContainer } {
  const pod = listPods(manifests).find((one) => one.part === part)
  const container = pod?.spec.containers[0]
  if (pod === undefined || container === undefined) throw new Error(`there is no pod of the part ${part}`)
  return { ...pod, container }
}

type Named<T> = T & { metadata: { name: string } }

/** All of a kind; `T` is the type that the kind has. */
export const listKind = <T>(manifests: readonly Manifest[], kind: string): Named<T>[] =>
  manifests.filter((manifest) => manifest.kind === kind) as unknown as Named<T>[]

/** By the end of its name. Throws where there is none. */
export function findOne<T>(manifests: readonly Manifest[], kind: string, nameEnd: string): Named<T> {
  const found = listKind<T>(manifests, kind).find(({ metadata }) => metadata.name.endsWith(nameEnd))
  if (found === undefined) throw new Error(`there is no ${kind} whose name ends in ${nameEnd}`)
  return found
}

/** Of a container, those with a plain value. */
export const readEnv = ({ env = [] }: IContainer): Record<string, string> =>
  Object.fromEntries(env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])))

/** `2Gi`, `500m`, `3` as a number. Throws on what the chart does not write. */
export function readQuantity(text: string | number | undefined): number {
  const units: Readonly<Record<string, number>> = { '': 1, m: 0.001, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 }
  const [, digits, unit = ''] = /^(\d+)(\D*)$/.exec(String(text)) ?? []
  const factor = units[unit]
  if (digits === undefined || factor === undefined) throw new Error(`${text} is no quantity`)
  return Number(digits) * factor
}
