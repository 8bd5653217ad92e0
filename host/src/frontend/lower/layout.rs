//! Layout of structs and unions, as gcc lays them out on x86 for the data model: alignment, padding, bit-fields.

use tandem_plugin_api::program::{BitField, Composite, Field, TypeId, Types};

/// A member as declared, before it has a place.
pub(super) struct Member {
    pub name: String,
    pub ty: TypeId,
    pub bit_width: Option<u32>,
    /// Alignment that a typedef gives the type instead of its own.
    pub type_align: Option<u64>,
    /// `__attribute__((aligned(n)))` or `_Alignas` on the member itself.
    pub align: Option<u64>,
    /// `__attribute__((packed))` on the member.
    pub packed: bool,
}

/// The attributes and pragmas of the whole composite.
#[derive(Clone, Copy, Default)]
pub(super) struct Shape {
    pub is_union: bool,
    pub packed: bool,
    pub align: Option<u64>,
    /// `#pragma pack(n)`: no member is aligned more than this.
    pub pack: Option<u64>,
}

/// Places members; sets fields, size and alignment of `composite`.
pub(super) fn place_members(types: &Types, composite: &mut Composite, members: Vec<Member>, shape: Shape) {
    let mut layout = Layout { types, shape, bits: 0, end: 0, align: 1 };
    composite.fields = members.into_iter().map(|member| layout.place(member)).collect();
    layout.end = layout.end.max(layout.bits);
    let align = layout.align.max(shape.align.unwrap_or(1));
    composite.align = align;
    composite.size = u64::try_from(layout.end.div_ceil(8).next_multiple_of(align.into())).unwrap_or(u64::MAX);
    composite.complete = true;
    composite.packed = shape.packed || shape.pack == Some(1);
}

struct Layout<'a> {
    types: &'a Types,
    shape: Shape,
    /// Next free bit; a size in bytes that fits may be too large in bits for 64 of them.
    bits: u128,
    /// Largest end of a member, in bits (for unions).
    end: u128,
    align: u64,
}

impl Layout<'_> {
    fn place(&mut self, member: Member) -> Field {
        if self.shape.is_union {
            self.bits = 0;
        }
        let packed = self.shape.packed || member.packed;
        let type_align = member.type_align.unwrap_or_else(|| self.types.align_of(member.ty));
        let natural = if packed { 1 } else { type_align };
        let mut align = natural.max(member.align.unwrap_or(1));
        if let Some(limit) = self.shape.pack {
            align = align.min(limit);
        }
        let field = match member.bit_width {
            None => self.place_whole(&member, align),
            Some(width) => self.place_bits(&member, width, align, packed),
        };
        self.end = self.end.max(self.bits);
        field
    }

    fn place_whole(&mut self, member: &Member, align: u64) -> Field {
        self.align = self.align.max(align);
        self.bits = self.bits.next_multiple_of(u128::from(align) * 8);
        let offset = self.byte();
        // A flexible array member takes no room.
        self.bits += u128::from(self.types.size_of(member.ty).unwrap_or(0)) * 8;
        self.field(member, offset, None)
    }

    /// gcc's PCC_BITFIELD_TYPE_MATTERS: a bit-field does not cross a boundary that its type's storage would not cross.
    fn place_bits(&mut self, member: &Member, width: u32, align: u64, packed: bool) -> Field {
        let own_align = u128::from(self.types.align_of(member.ty)) * 8;
        let most = self.shape.pack.map_or(u128::MAX, |limit| u128::from(limit) * 8);
        let type_align = own_align.min(most);
        if width == 0 {
            self.bits = self.bits.next_multiple_of(own_align);
            return self.field(member, self.byte(), Some(BitField { start: 0, width: 0 }));
        }
        let width_bits = u128::from(width);
        let type_bits = u128::from(self.types.size_of(member.ty).unwrap_or(4)) * 8;
        if let Some(explicit) = member.align {
            self.bits = self.bits.next_multiple_of((u128::from(explicit) * 8).min(most));
        }
        if !packed && self.shape.pack.is_none() {
            let units = (self.bits % type_align + width_bits).div_ceil(type_align);
            if units > type_bits / type_align {
                self.bits = self.bits.next_multiple_of(type_align);
            }
        }
        // An unnamed bit-field does not raise the alignment of the whole. Beside `#pragma pack`, a packed one does.
        if !member.name.is_empty() {
            let beside_pragma = self
                .shape
                .pack
                .map_or(1, |limit| limit.min(member.type_align.unwrap_or(self.types.align_of(member.ty))));
            self.align = self.align.max(align).max(beside_pragma);
        }
        let bits = BitField { start: (self.bits % 8) as u32, width };
        let field = self.field(member, self.byte(), Some(bits));
        self.bits += width_bits;
        field
    }

    /// The byte that the next free bit is in.
    fn byte(&self) -> u64 {
        u64::try_from(self.bits / 8).unwrap_or(u64::MAX)
    }

    fn field(&self, member: &Member, offset: u64, bits: Option<BitField>) -> Field {
        Field {
            name: member.name.clone(),
            ty: member.ty,
            offset,
            bits,
            explicit_align: member.align.max(member.type_align),
        }
    }
}
