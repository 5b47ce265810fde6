import type { Module, Role } from '@carillon/contract/roles'
import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'
import { loadCode } from './load-code.ts'

export type Screen = {
  /** Inside the area; empty for its front page. */
  path: string
  /** For the breadcrumbs and the palette. */
  title: string
  roles: readonly Role[]
  /** The module it belongs to; an account without it sees 'Access Restricted'. */
  module?: Module
  component: RouteComponent
}

/** A screen whose code is loaded with its first visit. */
export const lazyScreen: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => loadCode(load), name)
