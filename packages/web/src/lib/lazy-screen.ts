import { lazyRouteComponent } from '@tanstack/react-router'
import { loadCode } from './load-code.ts'

/** A screen whose code is loaded with its first visit. */
export const lazyScreen: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => loadCode(load), name)
