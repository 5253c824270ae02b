//! A map that keeps its order in Kotlin. (A Swift dictionary has none.)

use indexmap::IndexMap;
use uniffi::{
    Lift, Lower, MetadataBuffer, RustBuffer, TypeId, check_remaining, derive_ffi_traits, metadata::codes,
};

/// A map with text keys. In Kotlin it is a `Map` in the same order, in Swift a `Dictionary`.
#[derive(Debug)]
pub struct Map<V>(pub IndexMap<String, V>);

impl<V> Default for Map<V> {
    fn default() -> Self {
        Self(IndexMap::new())
    }
}

impl<V, UT> TypeId<UT> for Map<V>
where
    String: TypeId<UT>,
    V: TypeId<UT>,
{
    const TYPE_ID_META: MetadataBuffer = MetadataBuffer::from_code(codes::TYPE_HASH_MAP)
        .concat(<String as TypeId<UT>>::TYPE_ID_META)
        .concat(V::TYPE_ID_META);
}

// SAFETY: it writes the format of a `HashMap`, as the metadata say: the number of entries, then each key and its value.
#[allow(unsafe_code)]
unsafe impl<V: Lower<UT>, UT> Lower<UT> for Map<V>
where
    String: Lower<UT>,
{
    type FfiType = RustBuffer;

    fn write(map: Self, buffer: &mut Vec<u8>) {
        // The size of responses is limited long before this number is reached.
        let entries = i32::try_from(map.0.len()).unwrap_or(i32::MAX);
        buffer.extend(entries.to_be_bytes());
        for (key, value) in map.0.into_iter().take(usize::try_from(entries).unwrap_or_default()) {
            <String as Lower<UT>>::write(key, buffer);
            V::write(value, buffer);
        }
    }

    fn lower(map: Self) -> RustBuffer {
        Self::lower_into_rust_buffer(map)
    }
}

// SAFETY: it reads what `write` writes, and uniffi's Kotlin and Swift for a map.
#[allow(unsafe_code)]
unsafe impl<V: Lift<UT>, UT> Lift<UT> for Map<V>
where
    String: Lift<UT>,
{
    type FfiType = RustBuffer;

    fn try_read(buffer: &mut &[u8]) -> uniffi::Result<Self> {
        check_remaining(buffer, 4)?;
        let (entries, rest) = buffer.split_at(4);
        *buffer = rest;
        let entries = i32::from_be_bytes([entries[0], entries[1], entries[2], entries[3]]);
        let mut map = IndexMap::new();
        for _ in 0..entries {
            let key = <String as Lift<UT>>::try_read(buffer)?;
            map.insert(key, V::try_read(buffer)?);
        }
        Ok(Self(map))
    }

    fn try_lift(buffer: RustBuffer) -> uniffi::Result<Self> {
        Self::try_lift_from_rust_buffer(buffer)
    }
}

derive_ffi_traits!(impl<V, UT> LowerReturn<UT> for Map<V> where Map<V>: Lower<UT>);
derive_ffi_traits!(impl<V, UT> LowerError<UT> for Map<V> where Map<V>: Lower<UT>);
derive_ffi_traits!(impl<V, UT> LiftReturn<UT> for Map<V> where Map<V>: Lift<UT>);
derive_ffi_traits!(impl<V, UT> LiftRef<UT> for Map<V> where Map<V>: Lift<UT>);
