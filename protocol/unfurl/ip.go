package unfurl

import "net/netip"

// block is a range of addresses: those that share this many leading bits with the first.
type block struct {
	first [4]byte // also of IPv6 addresses: no range here has more bits
	bits  int
}

// closed4 are the IPv4 ranges outside of the public internet (IANA's special-purpose registry, RFC 6890 and later), including
// 169.254.169.254, the clouds' metadata address.
var closed4 = []block{
	{[4]byte{0}, 8}, {[4]byte{10}, 8}, {[4]byte{100, 64}, 10}, {[4]byte{127}, 8}, {[4]byte{169, 254}, 16}, {[4]byte{172, 16}, 12},
	{[4]byte{192, 0, 0}, 24}, {[4]byte{192, 0, 2}, 24}, {[4]byte{192, 88, 99}, 24}, {[4]byte{192, 168}, 16}, {[4]byte{198, 18}, 15},
	{[4]byte{198, 51, 100}, 24}, {[4]byte{203, 0, 113}, 24}, {[4]byte{224}, 4}, {[4]byte{240}, 4},
}

// In IPv6, only 2000::/3 is assigned. Addresses that translate or tunnel to IPv4 are refused whatever their target: in 2000::/3, Teredo
// and other protocol assignments (2001::/23) and 6to4 (2002::/16); elsewhere, mapped (::ffff:0:0/96) and compatible addresses and NAT64
// (64:ff9b::/96, 64:ff9b:1::/48). 2001:db8::/32 and 3fff::/20 are for documentation.
var (
	assigned6 = block{[4]byte{0x20}, 3}
	closed6   = []block{{[4]byte{0x20, 1}, 23}, {[4]byte{0x20, 1, 0x0d, 0xb8}, 32}, {[4]byte{0x20, 2}, 16}, {[4]byte{0x3f, 0xff}, 20}}
)

func (b block) contains(start []byte) bool {
	n := func(p []byte) uint32 { return uint32(p[0])<<24 | uint32(p[1])<<16 | uint32(p[2])<<8 | uint32(p[3]) }
	return (n(b.first[:])^n(start))>>(32-b.bits) == 0
}

// IsPublic reports whether an address belongs to the public internet.
func IsPublic(ip netip.Addr) bool {
	if !ip.IsValid() || ip.Zone() != "" {
		return false
	}
	start, blocks := ip.AsSlice(), closed4
	if !ip.Is4() {
		if blocks = closed6; !assigned6.contains(start) {
			return false
		}
	}
	for _, b := range blocks {
		if b.contains(start) {
			return false
		}
	}
	return true
}
