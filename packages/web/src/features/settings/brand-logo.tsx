import { Trash2 } from 'lucide-react'
import { reloadBrand } from '../../lib/brand.ts'
import { useApiWrite } from '../../lib/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { toast } from '../../ui/toast.tsx'

const maximumBytes = 512 * 1024

/** The logo is saved as soon as it is chosen, independently of the form. */
export function BrandLogo({ logo }: { logo: string | undefined }) {
  const upload = useApiWrite('brand.setLogo', {
    refreshes: ['brand.get'],
    onSuccess() {
      toast.success('Logo saved')
      void reloadBrand()
    },
    onError: ({ message }) => toast.error(message),
  })
  const remove = useApiWrite('brand.removeLogo', {
    refreshes: ['brand.get'],
    onSuccess: () => void reloadBrand(),
    onError: ({ message }) => toast.error(message),
  })
  return (
    <div className="flex flex-col gap-1.5">
      <p className="font-medium">Logo</p>
      {logo ? (
        <div className="flex items-center gap-4 rounded-lg border border-border bg-sunken p-4">
          <img src={logo} alt="Your logo" className="size-12 object-contain" />
          <p className="flex-1 text-dense text-muted-foreground">Shown at the top of every page.</p>
          <Button size="sm" loading={remove.isPending} onClick={() => remove.mutate({})}>
            <Trash2 aria-hidden /> Remove
          </Button>
        </div>
      ) : null}
      <FileDrop
        compact
        title={upload.isPending ? 'Saving…' : logo ? 'Drop another logo' : 'Drop your logo'}
        help="PNG, JPEG or WebP, square, 16 to 1024 pixels, at most 512 KB"
        accept=".png,.jpg,.jpeg,.webp"
        maximumBytes={maximumBytes}
        disabled={upload.isPending}
        onFile={(file) => upload.mutate({ files: { logo: file } })}
      />
    </div>
  )
}
