/** Words for what the channel's price pays. */
export type ChannelPrice = {
  /** A message, and several: 'It does not cover one …', 'About 20 …'. */
  message: string
  messages: string
  /** What the price is of, and several: '… costs ₹0.13', 'About 20 … at ₹0.13'. */
  unit: string
  units: string
}
