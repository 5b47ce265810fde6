/** The empty screen of a phone whose message is being loaded. */
export function PhoneLoading() {
  return <div aria-busy="true" className="flex-1" />
}
