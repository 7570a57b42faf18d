// A server stream to which anybody may push at any time.
#pragma once

#include <grpcpp/grpcpp.h>

#include <deque>
#include <functional>
#include <mutex>
#include <optional>

namespace eos::rpc {

// Deletes itself when gRPC is done with it; `on_done` runs before that and must see to it that nobody pushes
// any more.
template <typename Message>
class Stream final : public grpc::ServerWriteReactor<Message> {
 public:
  // `most`: messages that may wait for a slow reader; older ones are dropped, since each tells the whole
  // state.
  explicit Stream(size_t most) : most_(most) {}

  void OnDoneCall(std::function<void()> on_done) { on_done_ = std::move(on_done); }

  void Push(Message message) {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    waiting_.push_back(std::move(message));
    if (waiting_.size() > most_) waiting_.pop_front();
    Next();
  }

  // After what waits.
  void End(grpc::Status status) {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    ended_ = std::move(status);
    Next();
  }

  void OnWriteDone(bool ok) override {
    const std::lock_guard lock(mutex_);
    writing_ = false;
    if (!ok) {
      waiting_.clear();
      if (!ended_) ended_ = grpc::Status::CANCELLED;
    }
    Next();
  }

  void OnCancel() override {
    const std::lock_guard lock(mutex_);
    waiting_.clear();
    if (!ended_) ended_ = grpc::Status::CANCELLED;
    Next();
  }

  void OnDone() override {
    if (on_done_) on_done_();
    delete this;
  }

 private:
  void Next() {
    if (writing_ || finished_) return;
    if (!waiting_.empty()) {
      current_ = std::move(waiting_.front());
      waiting_.pop_front();
      writing_ = true;
      this->StartWrite(&current_);
    } else if (ended_) {
      finished_ = true;
      this->Finish(*ended_);
    }
  }

  const size_t most_;
  std::mutex mutex_;
  std::deque<Message> waiting_;
  Message current_;
  bool writing_ = false;
  bool finished_ = false;
  std::optional<grpc::Status> ended_;
  std::function<void()> on_done_;
};

// A stream that others may outlive: what is pushed after its end goes nowhere. Thread-safe.
template <typename Message>
class StreamHandle {
 public:
  explicit StreamHandle(Stream<Message>* stream) : stream_(stream) {}

  void Push(Message message) {
    const std::lock_guard lock(mutex_);
    if (stream_) stream_->Push(std::move(message));
  }
  void End(grpc::Status status) {
    const std::lock_guard lock(mutex_);
    if (stream_) stream_->End(std::move(status));
  }
  void Forget() {
    const std::lock_guard lock(mutex_);
    stream_ = nullptr;
  }

 private:
  std::mutex mutex_;
  Stream<Message>* stream_;
};

}  // namespace eos::rpc
