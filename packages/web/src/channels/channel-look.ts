import type { LucideIcon } from 'lucide-react'
import type { ComponentType, SVGProps } from 'react'

/** How a channel looks in lists, menus and charts. */
export type ChannelLook = {
  /** Its icon, and the classes of the square behind it. */
  icon: ComponentType<SVGProps<SVGSVGElement>>
  tint: string
  /** Beside the plain icons of a menu. */
  menuIcon: LucideIcon
  /** A token such as `var(--brand)`, and the class that fills with it. */
  color: string
  fill: string
  /** Its line in a chart, for those who cannot tell the colours apart. */
  line?: { dash?: string; weight?: number }
}
