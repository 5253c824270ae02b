// A voucher for somebody, on a survey platform in this process.
@file:JvmName("Incentives")

import kotlinx.coroutines.runBlocking
import sondage.SondageException
import sondage.testing.Sandbox

fun main(): Unit = runBlocking {
    Sandbox.demo().use { box ->
        val client = box.client()

        // The credits, and the incentives that they can buy.
        println("credits: ${client.readCreditBalance().balance}")
        val offers = client.readIncentiveList().panelIncentives
        offers.forEach { println("${it.name}: ${it.priceInCredits} credits, ${it.availableVouchersCount} left") }

        // Buy one voucher. Printing the response does not print its code.
        val redeemed = client.redeemIncentiveCode(offers.first().id)
        println(if (redeemed.voucherCode != null) "a voucher was bought" else "no voucher came")
        println("credits: ${client.readCreditBalance().balance}")

        // The transactions: credits earned and spent.
        val booked = client.readIncentiveTransactionList().incentiveTransactions.last()
        println("${booked.description} ${booked.oldValue} -> ${booked.newValue}")

        // An incentive that is too expensive is refused, and nothing is spent.
        try {
            client.redeemIncentiveCode(offers.last().id)
        } catch (refused: SondageException.Api) {
            println(refused.errorCode)
        }
    }
}
