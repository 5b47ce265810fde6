import type { EndpointName } from '@carillon/contract'
import type { Channel } from '@carillon/contract/channels'
import type { Screen } from '../lib/lazy-screen.ts'

/** A screen with a sub-item in the sidebar. */
export type ListedScreen = Screen & {
  /** The label of its sub-item. */
  label: string
  /** Its place among the channels of the section, from the top. */
  position: number
}

/** A screen on which something new is made. */
export type CreationScreen = Screen & {
  module: 'campaign' | 'template'
  /** The call that it needs. */
  call: EndpointName
}

/** The wizard of campaigns that begin on the channel; the wizard itself is the same for all. */
export type WizardScreen = Omit<Screen, 'component'> & { channel: Channel }

/** The screens that one channel alone has. They are known before sign-in, so they stay apart from the rest of its entry. */
export type ChannelScreens = {
  accounts?: ListedScreen
  templates?: ListedScreen & {
    /** Whether somebody else approves templates, so that their changes are announced. */
    isReviewed?: boolean
  }
  newTemplate?: CreationScreen
  newCampaign?: WizardScreen
}
