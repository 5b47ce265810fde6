import type { Gallery } from '../../lib/gallery.ts'
import { AreaChart } from './area-chart.tsx'
import { BarList } from './bar-list.tsx'
import { Funnel } from './funnel.tsx'
import { Sparkline } from './sparkline.tsx'
import { StackedBars } from './stacked-bars.tsx'

const points = ['28 Oct', '29 Oct', '30 Oct', '31 Oct', '1 Nov', '2 Nov', '3 Nov']

export const gallery: Gallery = {
  title: 'Charts',
  states: {
    area: () => (
      <div className="w-160">
        <AreaChart
          summary="SMS peaked on 2 November at 41,200"
          points={points}
          partial="today so far"
          series={[
            {
              id: 'sms',
              label: 'SMS',
              color: 'var(--sms)',
              values: [9400, 14_800, 12_100, 26_500, 18_300, 41_200, 40_900],
            },
            {
              id: 'rcs',
              label: 'RCS',
              color: 'var(--rcs)',
              dash: '6 3',
              values: [1900, 2600, 4300, 5800, 3900, 2800, 1200],
            },
          ]}
        />
      </div>
    ),
    funnel: () => (
      <div className="w-100">
        <Funnel
          total={12_480}
          stages={[
            { label: 'Sent', count: 12_480, tone: 1 },
            { label: 'Delivered', count: 11_957, tone: 2 },
            { label: 'Read', count: undefined, tone: 3 },
            { label: 'Failed', count: 523, tone: 'failed' },
          ]}
        />
      </div>
    ),
    bars: () => (
      <div className="w-80">
        <BarList
          bars={[
            { id: 'a', label: 'Number unreachable', value: 402 },
            { id: 'b', label: 'DLT template', value: 87 },
          ]}
        />
      </div>
    ),
    stacked: () => (
      <div className="w-160">
        <StackedBars
          summary="SMS and RCS by day"
          points={points}
          series={[
            { id: 'sms', label: 'SMS', color: 'var(--sms)', values: [9400, 14_800, 12_100, 26_500, 18_300, 41_200, 0] },
            { id: 'rcs', label: 'RCS', color: 'var(--rcs)', values: [1900, 2600, 4300, 5800, 3900, 2800, 1200] },
          ]}
        />
      </div>
    ),
    sparkline: () => <Sparkline values={[3, 4, 3, 6, 5, 8]} />,
  },
}
