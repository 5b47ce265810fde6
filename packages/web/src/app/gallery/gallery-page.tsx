import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import type { Gallery } from '../../lib/gallery.ts'
import { queries } from '../../lib/queries.ts'
import { toggleTheme } from '../../lib/theme.ts'
import { Button } from '../../ui/button.tsx'
import { Toaster } from '../../ui/toast.tsx'
import { TooltipProvider } from '../../ui/tooltip.tsx'

const modules = import.meta.glob<{ gallery: Gallery }>('../../**/*.gallery.tsx', { eager: true })
const galleries = Object.values(modules)
  .map(({ gallery }) => gallery)
  .sort((a, b) => a.title.localeCompare(b.title))

/** Each component in each of its states; in development only. */
export function GalleryPage() {
  return (
    <QueryClientProvider client={queries}>
      <TooltipProvider>
        <Galleries />
        <Toaster />
      </TooltipProvider>
    </QueryClientProvider>
  )
}

function Galleries() {
  const [chosen, setChosen] = useState<string>()
  const shown = chosen ? galleries.filter(({ title }) => title === chosen) : galleries
  return (
    <div className="flex min-h-dvh">
      <nav
        aria-label="Components"
        className="sticky top-0 h-dvh w-52 shrink-0 overflow-y-auto border-r border-border bg-sidebar p-2 max-md:hidden"
      >
        <Button size="sm" className="mb-2 w-full" onClick={toggleTheme}>
          Toggle theme
        </Button>
        {[undefined, ...galleries.map(({ title }) => title)].map((title) => (
          <button
            key={title ?? 'all'}
            type="button"
            aria-current={chosen === title}
            onClick={() => setChosen(title)}
            className="block h-8 w-full rounded-md px-2 text-left hover:bg-sidebar-accent aria-[current=true]:bg-brand-muted"
          >
            {title ?? 'All'}
          </button>
        ))}
      </nav>
      <main className="min-w-0 flex-1 p-6">
        <h1 className="sr-only">Components</h1>
        {shown.map(({ title, states }) => (
          <section key={title} className="mb-12">
            <h2 className="mb-4 border-b border-border pb-2 text-title font-semibold">{title}</h2>
            <div className="flex flex-wrap items-start gap-8">
              {Object.entries(states).map(([name, State]) => (
                <figure key={name} className="m-0 min-w-0">
                  <figcaption className="mb-2 text-caption text-muted-foreground">{name}</figcaption>
                  <State />
                </figure>
              ))}
            </div>
          </section>
        ))}
      </main>
    </div>
  )
}
