import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { outsideRoute } from '../../app/outside-route.ts'

const layoutRoute = createRoute({
  getParentRoute: () => outsideRoute,
  id: 'account',
  component: lazyRouteComponent(() => import('../../settings/SettingsLayout.tsx'), 'SettingsLayout'),
})

const pageRoute = createRoute({
  getParentRoute: () => layoutRoute,
  path: '/account',
  staticData: { page: { crumb: 'Account', hasWindow: false } },
  component: lazyRouteComponent(() => import('./AccountPage.tsx'), 'AccountPage'),
})

export const accountRoute = layoutRoute.addChildren([pageRoute])
