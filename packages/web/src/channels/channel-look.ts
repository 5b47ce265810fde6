import type { LucideIcon } from 'lucide-react'
import type { ComponentType, SVGProps } from 'react'

/** A channel's icon and colours in lists, menus and charts. */
export type ChannelLook = {
  /** Its icon, and the classes of its background. */
  icon: ComponentType<SVGProps<SVGSVGElement>>
  tint: string
  /** For menus with plain icons. */
  menuIcon: LucideIcon
  /** A token such as `var(--brand)`, and the class that fills with it. */
  color: string
  fill: string
  /** Line style in charts, for readers who cannot distinguish the colours. */
  line?: { dash?: string; weight?: number }
}
