import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Empty } from '../../../ui/empty.tsx'
import { ExamplePhones } from '../../phone/example-phones.tsx'
import { SeeExample } from '../../phone/see-example.tsx'
import type { TemplateScreens } from '../../channel-templates.ts'
import { NewTemplateLink } from './new-template-link.tsx'

type FirstTemplateProps = {
  screens: TemplateScreens
  icon: LucideIcon
  title: string
  /** The channel whose example is shown first. */
  example: ComponentProps<typeof SeeExample>['first']
  children: string
}

/** The empty list of a channel without templates. */
export function FirstTemplate({ screens, icon, title, example, children }: FirstTemplateProps) {
  return (
    <Empty
      icon={icon}
      picture={<ExamplePhones />}
      title={title}
      actions={
        <>
          <NewTemplateLink screens={screens} />
          <SeeExample {...(example ? { first: example } : {})} />
        </>
      }
    >
      {children}
    </Empty>
  )
}
