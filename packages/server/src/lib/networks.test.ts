import { expect, test } from 'vitest'
import { createNetworkCheck } from './networks.ts'

test.each([
  [['203.0.113.7'], '203.0.113.7', true],
  [['203.0.113.7'], '203.0.113.8', false],
  [['203.0.113.0/24'], '203.0.113.255', true],
  [['203.0.113.0/24'], '203.0.114.0', false],
  [['203.0.113.9/24'], '203.0.113.1', true],
  [['10.0.0.0/8', '2001:db8::/48'], '2001:db8:0:ffff::1', true],
  [['10.0.0.0/8', '2001:db8::/48'], '2001:db8:1::1', false],
  [['10.0.0.0/8', '2001:db8::/48'], '10.255.0.1', true],
  [['2001:db8::1'], '2001:0db8:0000::1', true],
  [['::/0'], '203.0.113.7', false],
  [['::/64'], '203.0.113.7', false],
  [['0.0.0.0/0'], '203.0.113.7', true],
  [['0.0.0.0/0'], '2001:db8::1', false],
  [[], '2001:db8::1', true],
])('%j has %s: %s', (networks, address, expected) => {
  expect(createNetworkCheck(networks)(address)).toBe(expected)
})
