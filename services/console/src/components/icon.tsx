// The icons by what they mean. Each is decoration: the word beside it says the same.
import AlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import Apps from '@tabler/icons-react/dist/esm/icons/IconApps.mjs'
import ArrowRight from '@tabler/icons-react/dist/esm/icons/IconArrowRight.mjs'
import Ban from '@tabler/icons-react/dist/esm/icons/IconBan.mjs'
import Book from '@tabler/icons-react/dist/esm/icons/IconBook.mjs'
import Building from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs'
import Cash from '@tabler/icons-react/dist/esm/icons/IconCash.mjs'
import Check from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import ChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import ChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import Clock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import Copy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import DeviceDesktop from '@tabler/icons-react/dist/esm/icons/IconDeviceDesktop.mjs'
import Download from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import ExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import Eye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
import EyeOff from '@tabler/icons-react/dist/esm/icons/IconEyeOff.mjs'
import Filter from '@tabler/icons-react/dist/esm/icons/IconFilter.mjs'
import HeartHandshake from '@tabler/icons-react/dist/esm/icons/IconHeartHandshake.mjs'
import Help from '@tabler/icons-react/dist/esm/icons/IconHelp.mjs'
import Inbox from '@tabler/icons-react/dist/esm/icons/IconInbox.mjs'
import Key from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import Keyboard from '@tabler/icons-react/dist/esm/icons/IconKeyboard.mjs'
import LayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import Link from '@tabler/icons-react/dist/esm/icons/IconLink.mjs'
import List from '@tabler/icons-react/dist/esm/icons/IconList.mjs'
import Loader from '@tabler/icons-react/dist/esm/icons/IconLoader.mjs'
import Logout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import Moon from '@tabler/icons-react/dist/esm/icons/IconMoon.mjs'
import Pencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import Percentage from '@tabler/icons-react/dist/esm/icons/IconPercentage.mjs'
import PlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs'
import PlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import Plug from '@tabler/icons-react/dist/esm/icons/IconPlug.mjs'
import Plus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import Receipt from '@tabler/icons-react/dist/esm/icons/IconReceipt.mjs'
import Refresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import Repeat from '@tabler/icons-react/dist/esm/icons/IconRepeat.mjs'
import Search from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import Selector from '@tabler/icons-react/dist/esm/icons/IconSelector.mjs'
import Send from '@tabler/icons-react/dist/esm/icons/IconSend.mjs'
import Settings from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs'
import Skull from '@tabler/icons-react/dist/esm/icons/IconSkull.mjs'
import Speakerphone from '@tabler/icons-react/dist/esm/icons/IconSpeakerphone.mjs'
import Sun from '@tabler/icons-react/dist/esm/icons/IconSun.mjs'
import Terminal2 from '@tabler/icons-react/dist/esm/icons/IconTerminal2.mjs'
import Tool from '@tabler/icons-react/dist/esm/icons/IconTool.mjs'
import Trash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import User from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import Users from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import Webhook from '@tabler/icons-react/dist/esm/icons/IconWebhook.mjs'
import X from '@tabler/icons-react/dist/esm/icons/IconX.mjs'

const icons = {
  alert: AlertTriangle,
  apps: Apps,
  'arrow-right': ArrowRight,
  ban: Ban,
  book: Book,
  building: Building,
  campaign: Speakerphone,
  cash: Cash,
  check: Check,
  'chevron-down': ChevronDown,
  'chevron-right': ChevronRight,
  clock: Clock,
  close: X,
  copy: Copy,
  dark: Moon,
  dashboard: LayoutDashboard,
  download: Download,
  edit: Pencil,
  external: ExternalLink,
  eye: Eye,
  'eye-off': EyeOff,
  filter: Filter,
  handshake: HeartHandshake,
  help: Help,
  inbox: Inbox,
  key: Key,
  keyboard: Keyboard,
  light: Sun,
  link: Link,
  list: List,
  loader: Loader,
  pause: PlayerPause,
  percent: Percentage,
  play: PlayerPlay,
  plug: Plug,
  plus: Plus,
  receipt: Receipt,
  refresh: Refresh,
  repeat: Repeat,
  search: Search,
  selector: Selector,
  send: Send,
  settings: Settings,
  'sign-out': Logout,
  skull: Skull,
  system: DeviceDesktop,
  terminal: Terminal2,
  tool: Tool,
  trash: Trash,
  user: User,
  users: Users,
  webhook: Webhook,
  x: X,
} as const

export type IconName = keyof typeof icons

/** `size` in pixels. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  const Drawing = icons[name]
  return <Drawing size={size} stroke={1.75} aria-hidden />
}
