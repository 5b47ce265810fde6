/** What the sandbox reports for a message to these numbers; other numbers get their messages. */
export const sandboxNumbers: readonly { number: string; result: string }[] = [
  { number: '+919999900001', result: 'Fails: the number cannot be reached' },
  { number: '+919999900002', result: 'Fails: the phone was off until the message expired' },
  { number: '+919999900003', result: 'Is rejected by the operator' },
  { number: '+919999900004', result: 'Is sent, and no report ever comes' },
  { number: '+919999900005', result: 'Is delivered after 10 seconds' },
  { number: '+919999900006', result: 'The response to the first attempt is lost' },
  { number: '+919999900007', result: 'The first attempt is throttled, the next is delivered' },
  { number: '+919999900008', result: 'Is delivered and read' },
  { number: '+919999900009', result: 'Is delivered, and answered with Yes, please' },
  { number: '+919999900010', result: 'Is delivered, and answered with STOP' },
]
