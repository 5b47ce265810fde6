import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import type { Role } from '@carillon/contract/roles'
import { areaPrefix } from '../lib/areas.ts'
import { call } from '../lib/call.ts'
import { guardTexts, judgeVisit } from '../lib/guard.ts'
import { raiseSecurityAlert, isSecurityAlertShown } from '../lib/security-alert.ts'
import { currentUser } from '../lib/session.ts'
import { parseSearch, stringifySearch } from '../lib/search.ts'
import { ApplicationError } from './application-error.tsx'
import { rememberPlace } from '../lib/remembered-place.ts'
import { screens } from './routes.tsx'
import { ScreenSpinner } from './screen-spinner.tsx'

const rootRoute = createRootRoute({
  component: Outlet,
  notFoundComponent: lazyRouteComponent(() => import('./not-found-page.tsx'), 'NotFoundPage'),
  beforeLoad: ({ location }) => guard(location.pathname),
})

/** Checks every navigation by its raw URL, before the router normalises it. */
function guard(pathname: string) {
  const address = `${window.location.pathname}${window.location.search}`
  const onTheWay = address.startsWith(pathname) ? address : pathname
  const verdict = judgeVisit({ address: onTheWay, user: currentUser(), alertShown: isSecurityAlertShown() })
  if (verdict.kind === 'open') return
  if (verdict.alert) raiseAlert(verdict.alert, onTheWay)
  if (verdict.kind === 'home') throw redirect({ to: verdict.to, replace: true })
  if (verdict.remember) rememberPlace(verdict.remember)
  throw redirect({ to: '/', replace: true })
}

/** Alerts whose text announces logging are also reported to the server. */
function raiseAlert(alert: string, address: string) {
  raiseSecurityAlert(alert)
  if (alert === guardTexts.suspicious) void call('auth.reportIncident', { body: { address } }).catch(() => {})
}

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../features/auth/login-page.tsx'), 'LoginPage'),
})

const registerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/register',
  component: lazyRouteComponent(() => import('../features/auth/register-page.tsx'), 'RegisterPage'),
})

const forgetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forget-password',
  component: lazyRouteComponent(() => import('../features/auth/forget-password-page.tsx'), 'ForgetPasswordPage'),
})

const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('../features/auth/reset-password-page.tsx'), 'ResetPasswordPage'),
})

const privacyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/privacy',
  component: lazyRouteComponent(() => import('../features/auth/privacy-page.tsx'), 'PrivacyPage'),
})

const securityRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/security',
  component: lazyRouteComponent(() => import('../features/auth/security-page.tsx'), 'SecurityPage'),
})

/** The five areas share one table of screens; each role gets the screens it may open. */
function areaRoute(role: Role) {
  const area = createRoute({
    getParentRoute: () => rootRoute,
    path: areaPrefix[role],
    component: lazyRouteComponent(() => import('./shell/area.tsx'), 'Area'),
  })
  const children = screens
    .filter((screen) => screen.roles.includes(role))
    .map((screen) => createRoute({ getParentRoute: () => area, path: screen.path || '/', component: screen.component }))
  const elsewhere = createRoute({
    getParentRoute: () => area,
    path: '$',
    component: lazyRouteComponent(() => import('./shell/elsewhere.tsx'), 'Elsewhere'),
  })
  return area.addChildren([...children, elsewhere])
}

const roles: Role[] = ['admin', 'reseller', 'manager', 'user', 'department_head']

export function createAppRouter() {
  ejectUnsafeStart()
  return createRouter({
    routeTree: rootRoute.addChildren([
      loginRoute,
      registerRoute,
      forgetPasswordRoute,
      resetPasswordRoute,
      privacyRoute,
      securityRoute,
      ...developmentRoutes(),
      ...roles.map(areaRoute),
    ]),
    parseSearch,
    stringifySearch,
    notFoundMode: 'root',
    defaultPreload: 'intent',
    defaultPreloadDelay: 80,
    defaultPendingMs: 200,
    defaultPendingMinMs: 300,
    defaultPendingComponent: ScreenSpinner,
    defaultErrorComponent: ApplicationError,
    scrollRestoration: true,
  })
}

export type AppRouter = ReturnType<typeof createAppRouter>

/** Runs before the router parses the URL: it would drop what it does not know, and with it the reason to reject. */
function ejectUnsafeStart() {
  const { pathname, search } = window.location
  const verdict = judgeVisit({ address: `${pathname}${search}`, user: null })
  if (verdict.kind !== 'login' || !verdict.alert) return
  raiseAlert(verdict.alert, `${pathname}${search}`)
  window.history.replaceState(null, '', '/')
}

function developmentRoutes() {
  if (!import.meta.env.DEV && !import.meta.env['VITE_GALLERY']) return []
  return [
    createRoute({
      getParentRoute: () => rootRoute,
      path: '/gallery',
      component: lazyRouteComponent(() => import('./gallery/gallery-page.tsx'), 'GalleryPage'),
    }),
  ]
}
