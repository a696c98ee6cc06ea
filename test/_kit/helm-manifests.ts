// Finds pods and objects in rendered manifests, for tests.
import type { IContainer } from 'kubernetes-models/v1/Container'
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec'
import type { Manifest } from './helm.ts'

/** A pod as the object that owns it describes it. */
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

/** Lists the pods of Deployments, StatefulSets, Jobs and CronJobs. */
export function listPods(manifests: readonly Manifest[]): Pod[] {
  return manifests.flatMap((owner) => {
    const { spec } = owner as unknown as Owner
    const template = spec?.jobTemplate?.spec.template ?? spec?.template
    if (template === undefined) return []
    const { labels } = template.metadata
    return [{ owner, part: labels['app.kubernetes.io/component'] ?? '', labels, spec: template.spec }]
  })
}

/** Finds the pod of a component. Throws where there is none. */
export function findPod(manifests: readonly Manifest[], part: string): Pod & { readonly container: IContainer } {
  const pod = listPods(manifests).find((one) => one.part === part)
  const container = pod?.spec.containers[0]
  if (pod === undefined || container === undefined) throw new Error(`there is no pod of the part ${part}`)
  return { ...pod, container }
}

type Named<T> = T & { metadata: { name: string } }

/** Lists the objects of a kind; `T` is the type of the kind. */
export const listKind = <T>(manifests: readonly Manifest[], kind: string): Named<T>[] =>
  manifests.filter((manifest) => manifest.kind === kind) as unknown as Named<T>[]

/** Finds an object by the end of its name. Throws where there is none. */
export function findOne<T>(manifests: readonly Manifest[], kind: string, nameEnd: string): Named<T> {
  const found = listKind<T>(manifests, kind).find(({ metadata }) => metadata.name.endsWith(nameEnd))
  if (found === undefined) throw new Error(`there is no ${kind} whose name ends in ${nameEnd}`)
  return found
}

/** Returns the variables of a container that have a plain value. */
export const readEnv = ({ env = [] }: IContainer): Record<string, string> =>
  Object.fromEntries(env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])))

/** Converts `2Gi`, `500m`, `3` to a number. Throws on formats that the chart does not use. */
export function readQuantity(text: string | number | undefined): number {
  const units: Readonly<Record<string, number>> = { '': 1, m: 0.001, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 }
  const [, digits, unit = ''] = /^(\d+)(\D*)$/.exec(String(text)) ?? []
  const factor = units[unit]
  if (digits === undefined || factor === undefined) throw new Error(`${text} is no quantity`)
  return Number(digits) * factor
}
