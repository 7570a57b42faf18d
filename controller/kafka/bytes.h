// Kafka's own serialisation, read from bytes that may be anything: big-endian, lengths in front. Never out of
// bounds; after the first failure every read gives nothing. The compact forms (KIP-482) have lengths as
// unsigned varints, one more than the length.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace eos::kafka {

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  bool AtEnd() const { return rest_.empty(); }

  template <typename T>
  T Int() {
    if (rest_.size() < sizeof(T)) return Fail<T>();
    uint64_t value = 0;
    for (size_t i = 0; i < sizeof(T); ++i) value = (value << 8U) | static_cast<unsigned char>(rest_[i]);
    rest_.remove_prefix(sizeof(T));
    return static_cast<T>(value);
  }

  uint32_t Varint() {
    uint32_t value = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
      const auto byte = Int<uint8_t>();
      value |= static_cast<uint32_t>(byte & 0x7FU) << shift;
      if ((byte & 0x80U) == 0) return value;
    }
    return Fail<uint32_t>();
  }

  std::string String() {
    const auto length = Int<int16_t>();
    return length < 0 ? std::string() : Take(static_cast<size_t>(length));  // -1: null
  }

  std::string CompactString() {
    const uint32_t length = Varint();
    return length == 0 ? std::string() : Take(length - 1);  // 0: null
  }

  std::string NullableBytes() {
    const auto length = Int<int32_t>();
    return length < 0 ? std::string() : Take(static_cast<size_t>(length));
  }

  // The number of items to follow, each of at least `least` bytes: a count that cannot be true reserves
  // nothing.
  int32_t Count(size_t least) {
    const auto count = Int<int32_t>();
    return count < 0 ? 0 : Plausible(static_cast<size_t>(count), least);  // -1: null
  }

  int32_t CompactCount(size_t least) {
    const uint32_t count = Varint();
    return count == 0 ? 0 : Plausible(count - 1, least);  // 0: null
  }

  void SkipTaggedFields() {
    const uint32_t fields = Varint();
    for (uint32_t i = 0; i < fields && ok_; ++i) {
      Varint();
      Take(Varint());
    }
  }

 private:
  static constexpr size_t kMaxItems = 1'000'000;

  template <typename T>
  T Fail() {
    ok_ = false;
    rest_ = {};
    return T{};
  }
  int32_t Plausible(size_t count, size_t least) {
    if (count > kMaxItems || count * least > rest_.size()) return Fail<int32_t>();
    return static_cast<int32_t>(count);
  }
  std::string Take(size_t length) {
    if (rest_.size() < length) return Fail<std::string>();
    std::string text(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return text;
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace eos::kafka
