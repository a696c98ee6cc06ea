// Runs before the first paint, so that no page flashes in the wrong theme or with a frame that it has not.
;(() => {
  const root = document.documentElement
  const system = matchMedia('(prefers-color-scheme: dark)')
  const apply = () => {
    let theme = null
    try {
      theme = localStorage.getItem('tracewright.theme')
    } catch {
      // Storage can be forbidden; the theme of the system holds then.
    }
    const isDark = theme === 'dark' || (theme !== 'light' && system.matches)
    root.dataset.theme = isDark ? 'dark' : 'light'
  }
  apply()
  system.addEventListener('change', apply)
  // Other tabs, and the account menu of this one.
  addEventListener('storage', apply)
  addEventListener('tracewright-theme', apply)
  if (/^\/(sign-in|sign-up|invite|forgot-password)(\/|$)/.test(location.pathname)) root.dataset.frame = 'none'
})()
