// Preferences that apply to this browser only, and take effect at once.
import { usePreference, writePreference } from '../../app/preferences.ts'
import { Choice, Choices } from '../../settings/Choices.tsx'
import styles from '../../settings/settings.module.css'

const themes = [
  { id: null, label: 'System theme' },
  { id: 'light', label: 'Light' },
  { id: 'dark', label: 'Dark' },
] as const

export function BrowserSection() {
  const theme = usePreference('theme')
  const hasShortcuts = usePreference('shortcuts') !== 'off'
  return (
    <section className={styles.form} aria-labelledby="browser">
      <h2 id="browser">In this browser</h2>
      <Choices legend="Theme">
        {themes.map(({ id, label }) => (
          <Choice
            key={label}
            name="theme"
            label={label}
            isChosen={theme === id}
            onChoose={() => writePreference('theme', id)}
          />
        ))}
      </Choices>
      <Choices legend="Keyboard">
        <Choice
          name="shortcuts"
          label="Single keys act"
          isChosen={hasShortcuts}
          onChoose={() => writePreference('shortcuts', null)}
        >
          Such as <kbd>g</kbd> <kbd>t</kbd> for the traces. <kbd>?</kbd> lists the keys of a page.
        </Choice>
        <Choice
          name="shortcuts"
          label="Single keys do nothing"
          isChosen={!hasShortcuts}
          onChoose={() => writePreference('shortcuts', 'off')}
        >
          For speech input and switch devices, which can press keys by mistake.
        </Choice>
      </Choices>
    </section>
  )
}
