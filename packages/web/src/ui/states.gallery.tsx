import { Megaphone } from 'lucide-react'
import type { Gallery } from '../lib/gallery.ts'
import { Button } from './button.tsx'
import { Denied } from './denied.tsx'
import { Empty } from './empty.tsx'
import { Failure } from './failure.tsx'
import { Notice } from './notice.tsx'
import { SkeletonLines } from './skeleton.tsx'

export const gallery: Gallery = {
  title: 'States of a region',
  states: {
    loading: () => (
      <div className="w-100">
        <SkeletonLines count={5} />
      </div>
    ),
    'empty, first use': () => (
      <Empty
        icon={Megaphone}
        title="Send your first campaign"
        actions={<Button variant="primary">New campaign</Button>}
      >
        Pick a channel, add your numbers, and see the message on a phone before it goes.
      </Empty>
    ),
    error: () => <Failure error={new Error('Failed to fetch campaigns')} onRetry={() => {}} />,
    'error over stale data': () => (
      <Failure
        error={new Error('Failed to fetch campaigns')}
        onRetry={() => {}}
        staleSince={Date.UTC(2025, 10, 3, 7, 50)}
      />
    ),
    denied: () => <Denied />,
    notices: () => (
      <div className="flex w-120 flex-col gap-3">
        <Notice tone="care">Balance is ₹640.00. Ask your account manager for a top-up.</Notice>
        <Notice tone="info">The account’s connection is being checked.</Notice>
        <Notice tone="offline">You are offline.</Notice>
        <Notice tone="bad">The provider refused the password.</Notice>
      </div>
    ),
  },
}
