// A voucher for somebody, on a survey platform in this process.

import Sondage
import SondageTesting

@main
struct Incentives {
    static func main() async throws {
        let box = try Sandbox.demo()
        let client = try box.client()

        // The credits, and the incentives that they can buy.
        print("credits:", try await client.readCreditBalance().balance ?? 0)
        let offers = try await client.readIncentiveList().panelIncentives
        for offer in offers {
            print("\(offer.name ?? ""): \(offer.priceInCredits ?? 0) credits, \(offer.availableVouchersCount ?? 0) left")
        }

        // Buy one voucher. Printing the response does not print its code.
        let redeemed = try await client.redeemIncentiveCode(incentiveId: offers[0].id)
        print(redeemed.voucherCode != nil ? "a voucher was bought" : "no voucher came")
        print("credits:", try await client.readCreditBalance().balance ?? 0)

        // The transactions: credits earned and spent.
        if let booked = try await client.readIncentiveTransactionList().incentiveTransactions.last {
            print(booked.description ?? "", booked.oldValue ?? "", "->", booked.newValue ?? "")
        }

        // An incentive that is too expensive is refused, and nothing is spent.
        do {
            _ = try await client.redeemIncentiveCode(incentiveId: offers[2].id)
        } catch SondageError.api(let refused) {
            print(refused.errorCode ?? "")
        }
        box.stop()
    }
}
