import { Module } from '@carillon/contract/roles'
import clsx from 'clsx'
import { moduleLabels } from './user-labels.ts'

/** Five squares, filled for permitted modules; with text for screen readers. */
export function ModuleDots({ modules }: { modules: readonly Module[] }) {
  const names = modules.map((module) => moduleLabels[module].label)
  return (
    <span title={names.join(', ') || 'None'} className="inline-flex gap-1 align-middle">
      {Module.options.map((module) => (
        <span
          key={module}
          aria-hidden
          className={clsx('size-2.5 rounded-[3px]', modules.includes(module) ? 'bg-brand' : 'border border-edge')}
        />
      ))}
      <span className="sr-only">{names.join(', ') || 'None'}</span>
    </span>
  )
}
