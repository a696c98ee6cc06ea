// Conversions between the settings of new rules and the fields of their form.
import type { Settings } from './queries.ts'
import { joinSeconds, readPercent, showPercent, splitSeconds, type Unit } from './rule-words.ts'

export type Draft = {
  readonly isAuto: boolean
  readonly age: { readonly amount: string; readonly unit: Unit }
  readonly holdout: string
  readonly floor: string
  readonly alpha: string
}

type RuleSettings = Pick<Settings, 'auto_shadow' | 'default_freshness_s' | 'holdout_rate' | 'floor' | 'alpha'>

export function toDraft(settings: RuleSettings): Draft {
  const { amount, unit } = splitSeconds(settings.default_freshness_s)
  return {
    isAuto: settings.auto_shadow,
    age: { amount: String(amount), unit },
    holdout: showPercent(settings.holdout_rate),
    floor: showPercent(settings.floor),
    alpha: showPercent(settings.alpha),
  }
}

export const toSettings = ({ isAuto, age, holdout, floor, alpha }: Draft): RuleSettings => ({
  auto_shadow: isAuto,
  default_freshness_s: joinSeconds(age.amount, age.unit),
  holdout_rate: readPercent(holdout),
  floor: readPercent(floor),
  alpha: readPercent(alpha),
})

/** Returns the fields of `after` whose values differ from those of `before`. */
export const listChanges = <T extends object>(before: T, after: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(after).filter(([name, value]) => !Object.is(value, Reflect.get(before, name))),
  ) as Partial<T>
