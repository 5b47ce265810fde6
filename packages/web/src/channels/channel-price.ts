/** Nouns for the channel's billed unit. */
export type ChannelPrice = {
  /** Singular and plural: 'It does not cover one …', 'About 20 …'. */
  message: string
  messages: string
  /** The priced unit, singular and plural: '… costs ₹0.13', 'About 20 … at ₹0.13'. */
  unit: string
  units: string
}
