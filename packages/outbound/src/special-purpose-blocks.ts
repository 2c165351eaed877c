// Data only: the blocks of the two IANA special-purpose address registries, the multicast blocks, and the host services of large clouds that lie
// in ordinary public space. It never decides: address-rule.ts does.

/** One registered block in CIDR notation with its registered name. */
export interface SpecialPurposeBlock {
  readonly block: string
  readonly name: string
}

/** Date of the registries these lists were taken from (iana-ipv4-special-registry, iana-ipv6-special-registry); later RFCs are added by hand. */
export const registryDate = '2024-10-22'

/** IANA IPv4 Special-Purpose Address Registry, all rows, also those marked globally reachable. */
export const ipv4SpecialPurposeBlocks: readonly SpecialPurposeBlock[] = [
  { block: '0.0.0.0/8', name: 'This network' },
  { block: '0.0.0.0/32', name: 'This host on this network' },
  { block: '10.0.0.0/8', name: 'Private-Use' },
  { block: '100.64.0.0/10', name: 'Shared Address Space' },
  { block: '127.0.0.0/8', name: 'Loopback' },
  { block: '169.254.0.0/16', name: 'Link Local' },
  { block: '172.16.0.0/12', name: 'Private-Use' },
  { block: '192.0.0.0/24', name: 'IETF Protocol Assignments' },
  { block: '192.0.0.0/29', name: 'IPv4 Service Continuity Prefix' },
  { block: '192.0.0.8/32', name: 'IPv4 dummy address' },
  { block: '192.0.0.9/32', name: 'Port Control Protocol Anycast' },
  { block: '192.0.0.10/32', name: 'Traversal Using Relays around NAT Anycast' },
  { block: '192.0.0.170/32', name: 'NAT64/DNS64 Discovery' },
  { block: '192.0.0.171/32', name: 'NAT64/DNS64 Discovery' },
  { block: '192.0.2.0/24', name: 'Documentation (TEST-NET-1)' },
  { block: '192.31.196.0/24', name: 'AS112-v4' },
  { block: '192.52.193.0/24', name: 'AMT' },
  { block: '192.88.99.0/24', name: 'Deprecated (6to4 Relay Anycast)' },
  { block: '192.88.99.2/32', name: '6a44-relay anycast address' },
  { block: '192.168.0.0/16', name: 'Private-Use' },
  { block: '192.175.48.0/24', name: 'Direct Delegation AS112 Service' },
  { block: '198.18.0.0/15', name: 'Benchmarking' },
  { block: '198.51.100.0/24', name: 'Documentation (TEST-NET-2)' },
  { block: '203.0.113.0/24', name: 'Documentation (TEST-NET-3)' },
  { block: '240.0.0.0/4', name: 'Reserved' },
  { block: '255.255.255.255/32', name: 'Limited Broadcast' },
]

/** IPv4 multicast: not in the registry above, refused by security.md 1.2.2. */
export const ipv4MulticastBlock: SpecialPurposeBlock = { block: '224.0.0.0/4', name: 'Multicast' }

/** The only IPv6 space that is allowed at all: global unicast (security.md 1.2.3). */
export const ipv6GlobalUnicastBlock: SpecialPurposeBlock = { block: '2000::/3', name: 'Global Unicast' }

/** IANA IPv6 Special-Purpose Address Registry, all rows. Those outside 2000::/3 are refused by the positive rule already. */
export const ipv6SpecialPurposeBlocks: readonly SpecialPurposeBlock[] = [
  { block: '::1/128', name: 'Loopback Address' },
  { block: '::/128', name: 'Unspecified Address' },
  { block: '::ffff:0:0/96', name: 'IPv4-mapped Address' },
  { block: '64:ff9b::/96', name: 'IPv4-IPv6 Translation' },
  { block: '64:ff9b:1::/48', name: 'IPv4-IPv6 Translation' },
  { block: '100::/64', name: 'Discard-Only Address Block' },
  { block: '100:0:0:1::/64', name: 'Dummy IPv6 Prefix (RFC 9780)' },
  { block: '2001::/23', name: 'IETF Protocol Assignments' },
  { block: '2001::/32', name: 'TEREDO' },
  { block: '2001:1::1/128', name: 'Port Control Protocol Anycast' },
  { block: '2001:1::2/128', name: 'Traversal Using Relays around NAT Anycast' },
  { block: '2001:1::3/128', name: 'DNS-SD Service Registration Protocol Anycast' },
  { block: '2001:2::/48', name: 'Benchmarking' },
  { block: '2001:3::/32', name: 'AMT' },
  { block: '2001:4:112::/48', name: 'AS112-v6' },
  { block: '2001:10::/28', name: 'Deprecated (previously ORCHID)' },
  { block: '2001:20::/28', name: 'ORCHIDv2' },
  { block: '2001:30::/28', name: 'Drone Remote ID Protocol Entity Tags' },
  { block: '2001:db8::/32', name: 'Documentation' },
  { block: '2002::/16', name: '6to4' },
  { block: '2620:4f:8000::/48', name: 'Direct Delegation AS112 Service' },
  { block: '3fff::/20', name: 'Documentation' },
  { block: '5f00::/16', name: 'Segment Routing (SRv6) SIDs' },
  { block: 'fc00::/7', name: 'Unique-Local' },
  { block: 'fe80::/10', name: 'Link-Local Unicast' },
]

/** Metadata and host services of clouds. Most lie in special blocks too and are named here so that the list is complete by itself. */
export const cloudHostServiceBlocks: readonly SpecialPurposeBlock[] = [
  { block: '168.63.129.16/32', name: 'Azure host services (public-looking)' },
  { block: '169.254.169.254/32', name: 'Metadata of AWS, Azure, Google, Oracle, DigitalOcean, Hetzner, OpenStack' },
  { block: '169.254.170.2/32', name: 'AWS task credentials' },
  { block: '169.254.170.23/32', name: 'AWS pod identity' },
  { block: '169.254.169.123/32', name: 'AWS time service' },
  { block: '169.254.169.253/32', name: 'AWS resolver' },
  { block: '169.254.0.23/32', name: 'Tencent metadata' },
  { block: '169.254.42.42/32', name: 'Scaleway metadata' },
  { block: '100.100.100.200/32', name: 'Alibaba metadata' },
  { block: '100.100.2.136/31', name: 'Alibaba resolvers' },
  { block: '100.100.2.138/32', name: 'Alibaba resolver' },
  { block: '192.0.0.192/32', name: 'Oracle metadata (former)' },
  { block: '161.26.0.0/16', name: 'IBM Cloud private services (public-looking)' },
  { block: '166.8.0.0/14', name: 'IBM Cloud service endpoints (public-looking)' },
  { block: 'fd00:ec2::254/128', name: 'AWS metadata' },
  { block: 'fd00:ec2::253/128', name: 'AWS resolver' },
  { block: 'fd00:ec2::23/128', name: 'AWS pod identity' },
  { block: 'fd00:42::42/128', name: 'Scaleway metadata' },
  { block: 'fd20:ce::254/128', name: 'Google metadata' },
  { block: 'fe80::a9fe:a9fe/128', name: 'OpenStack metadata' },
]
