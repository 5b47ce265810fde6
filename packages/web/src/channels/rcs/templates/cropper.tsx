import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FieldMessage } from '../../../ui/field.tsx'
import { Slider } from '../../../ui/slider.tsx'
import { cropPicture } from './crop-image.ts'
import { cropArea, movedCrop, safeAreas, wholeCrop, type Area, type Crop } from './media-frame.ts'

type CropperProps = {
  picture: ImageBitmap
  name: string
  /** Width of the cards on the phone, which decides what remains visible. */
  cardWidth: number
  onCropped: (file: File) => void
  onClose: () => void
}

/** Chooses a 2:1 part of an image; outlines show what each media height leaves visible. */
export function Cropper({ picture, name, cardWidth, onCropped, onClose }: CropperProps) {
  const [crop, setCrop] = useState<Crop>(wholeCrop)
  const [state, setState] = useState<'open' | 'working' | 'failed'>('open')

  async function finish() {
    setState('working')
    try {
      onCropped(await cropPicture(picture, { crop, name }))
    } catch {
      setState('failed')
    }
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      width="large"
      title="Crop the image"
      description="Cards show images at 2:1. Keep what matters inside all three outlines: each media height cuts differently."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" loading={state === 'working'} onClick={() => void finish()}>
            Use image
          </Button>
        </>
      }
    >
      <CropArea picture={picture} crop={crop} cardWidth={cardWidth} onCrop={setCrop} />
      <div className="mt-3 flex items-center gap-3">
        <span className="text-dense text-muted-foreground">Zoom</span>
        <Slider
          label="Zoom"
          value={Math.round(crop.zoom * 100)}
          minimum={100}
          maximum={400}
          step={5}
          valueText={`${Math.round(crop.zoom * 100)}%`}
          onValueChange={(percent) => setCrop(movedCrop(picture, { ...crop, zoom: percent / 100 }, { x: 0, y: 0 }))}
        />
        <span className="w-12 text-right text-dense text-muted-foreground tabular-nums">
          {Math.round(crop.zoom * 100)}%
        </span>
      </div>
      <p className="mt-2 text-caption text-muted-foreground">
        {picture.width} × {picture.height}. Saved as JPEG of at most 1,440 × 720 and 2 MB. Drag the image, or use the
        arrow keys.
      </p>
      {state === 'failed' ? <FieldMessage text="The image could not be processed" /> : null}
    </Dialog>
  )
}

type CropAreaProps = { picture: ImageBitmap; crop: Crop; cardWidth: number; onCrop: (crop: Crop) => void }

const step = 0.02

/** The crop with the image behind it, moved by dragging or with the arrow keys. */
function CropArea({ picture, crop, cardWidth, onCrop }: CropAreaProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const grabbed = useRef<{ x: number; y: number; crop: Crop }>(undefined)
  useEffect(() => draw(canvas.current, picture, cropArea(picture, crop)), [picture, crop])

  function onPointerMove(event: PointerEvent) {
    const from = grabbed.current
    const box = canvas.current?.getBoundingClientRect()
    if (!from || !box) return
    const { width, height } = cropArea(picture, from.crop)
    // The image follows the pointer, so the crop moves the other way.
    const x = (-(event.clientX - from.x) / box.width) * width
    const y = (-(event.clientY - from.y) / box.height) * height
    onCrop(movedCrop(picture, from.crop, { x, y }))
  }
  function onKeyDown(event: KeyboardEvent) {
    const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key]
    if (!by) return
    event.preventDefault()
    onCrop(movedCrop(picture, crop, { x: by[0] ?? 0, y: by[1] ?? 0 }))
  }
  return (
    <div
      role="application"
      tabIndex={0}
      aria-label="Image position. Use the arrow keys to move the image."
      className="relative aspect-2/1 w-full cursor-grab touch-none overflow-hidden rounded-lg bg-secondary active:cursor-grabbing"
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        grabbed.current = { x: event.clientX, y: event.clientY, crop }
      }}
      onPointerMove={onPointerMove}
      onPointerUp={() => (grabbed.current = undefined)}
    >
      <canvas ref={canvas} width={1440} height={720} className="block size-full" />
      {safeAreas(cardWidth).map(({ height, label, area }) => (
        <Outline key={height} label={label} area={area} />
      ))}
    </div>
  )
}

function Outline({ label, area: { left, top, width, height } }: { label: string; area: Area }) {
  const percent = (part: number) => `${(part * 100).toFixed(2)}%`
  return (
    <span
      aria-hidden
      className="pointer-events-none absolute rounded-sm border border-dashed border-white shadow-[0_0_0_1px_rgb(0_0_0/0.55)]"
      style={{ left: percent(left), top: percent(top), width: percent(width), height: percent(height) }}
    >
      <span className="absolute top-1 left-1 rounded-sm bg-black/70 px-1.5 text-caption text-white">{label}</span>
    </span>
  )
}

function draw(canvas: HTMLCanvasElement | null, picture: ImageBitmap, { left, top, width, height }: Area) {
  const context = canvas?.getContext('2d')
  if (!canvas || !context) return
  context.clearRect(0, 0, canvas.width, canvas.height)
  const from = [left * picture.width, top * picture.height, width * picture.width, height * picture.height] as const
  context.drawImage(picture, ...from, 0, 0, canvas.width, canvas.height)
}
