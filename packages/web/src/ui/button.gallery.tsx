import { Pencil, Plus } from 'lucide-react'
import type { Gallery } from '../lib/gallery.ts'
import { Button, IconButton } from './button.tsx'

const variants = ['primary', 'outline', 'ghost', 'destructive', 'bad'] as const

export const gallery: Gallery = {
  title: 'Button',
  states: {
    variants: () => (
      <div className="flex flex-wrap gap-2">
        {variants.map((variant) => (
          <Button key={variant} variant={variant}>
            <Plus aria-hidden /> {variant}
          </Button>
        ))}
      </div>
    ),
    sizes: () => (
      <div className="flex flex-wrap items-center gap-2">
        <Button size="tool">Tool</Button>
        <Button size="sm">Small</Button>
        <Button>Medium</Button>
        <Button size="lg">Large</Button>
      </div>
    ),
    loading: () => (
      <Button variant="primary" loading>
        Save template
      </Button>
    ),
    disabled: () => <Button disabled>Save template</Button>,
    icon: () => (
      <IconButton label="Rename" keys={['R']}>
        <Pencil aria-hidden />
      </IconButton>
    ),
  },
}
