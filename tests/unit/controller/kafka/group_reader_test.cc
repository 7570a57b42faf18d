#include <gmock/gmock.h>

#include "controller/kafka/group.h"

namespace eos::kafka {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(GroupReader, BadPropertyIsNamedWithoutItsValue) {
  const auto reader = NewGroupReader({{"sasl.pasword", "Tr0ub4dor-test"}}, "g");
  ASSERT_EQ(ReasonOf(reader.status()), Reason::kUsage);
  EXPECT_THAT(Render(reader.status()),
              testing::AllOf(HasSubstr("sasl.pasword"), Not(HasSubstr("Tr0ub4dor"))));
}

TEST(GroupReader, BadValueIsNotQuotedEither) {
  const auto reader = NewGroupReader({{"security.protocol", "Tr0ub4dor-test"}}, "g");
  ASSERT_EQ(ReasonOf(reader.status()), Reason::kUsage);
  EXPECT_THAT(Render(reader.status()), Not(HasSubstr("Tr0ub4dor")));
}

TEST(GroupReader, BrokerThatIsNotThereIsSaidWithinTheLimit) {
  const auto reader = NewGroupReader({{"bootstrap.servers", "127.0.0.1:1"}}, "g");
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ(ReasonOf((*reader)->Read(Millis{500}).status()), Reason::kGroupUnreadable);
}

TEST(PendingDelay, IsTheLargestOfTheMembers) {
  GroupView view;
  view.members.resize(3);
  view.members[1].delay = Millis{300'000};
  view.members[2].delay = Millis{1};
  EXPECT_EQ(view.pending_delay(), Millis{300'000});
}

}  // namespace
}  // namespace eos::kafka
