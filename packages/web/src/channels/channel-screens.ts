import type { EndpointName } from '@carillon/contract'
import type { Channel } from '@carillon/contract/channels'
import type { Screen } from '../lib/lazy-screen.ts'

/** A screen with its own sidebar entry. */
export type ListedScreen = Screen & {
  /** The label of its sidebar entry. */
  label: string
  /** Its position among the channels of the section. */
  position: number
}

/** A screen that creates an object. */
export type CreationScreen = Screen & {
  module: 'campaign' | 'template'
  /** The call that it requires. */
  call: EndpointName
}

/** The wizard's screen for campaigns that begin on the channel; the wizard itself is shared. */
export type WizardScreen = Omit<Screen, 'component'> & { channel: Channel }

/** Screens of a single channel. They are needed before sign-in, so they are separate from the rest of its entry. */
export type ChannelScreens = {
  accounts?: ListedScreen
  templates?: ListedScreen & {
    /** Whether templates are reviewed by a provider, so that changes of their status are announced. */
    isReviewed?: boolean
  }
  newTemplate?: CreationScreen
  newCampaign?: WizardScreen
}
